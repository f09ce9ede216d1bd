import { addHosts, hostEndsAt, hostName } from './host-names.ts';
import { readStatedDate, type StatedDate } from './stated-date.ts';
import { addStatuses } from './status-words.ts';
import type { FieldName } from './vocabulary.ts';

const NOTHING = 9;
const LONGEST_REGISTRAR = 200;
const ADDRESS_BEHIND = /\s*[([<]\s*(?:https?:\/\/|www\.)[^)\]>]*[)\]>]?\s*$/i;
const EMPTY_VALUE = /^(?:[-.\s]*|n\/?a|none|null|not (?:applicable|available|defined|disclosed!?))$/i;

/** A date field: the best value met so far and how certain its label was. */
interface DateSlot {
  date: StatedDate | null;
  rank: number;
}

/** One domain object as a text states it: fields as they are filled, better labels winning over weaker. */
export class TextRecord {
  domain: string | null = null;
  registrar: string | null = null;
  registrarServer: string | null = null;
  nameServers: string[] = [];
  status: string[] = [];
  readonly created: DateSlot = { date: null, rank: NOTHING };
  readonly expires: DateSlot = { date: null, rank: NOTHING };
  readonly updated: DateSlot = { date: null, rank: NOTHING };
  #domainRank = NOTHING;
  #registrarRank = NOTHING;
  #nameServerRank = NOTHING;

  /** Whether anything but the name is known. */
  hasFacts(): boolean {
    return (
      this.registrar !== null ||
      this.nameServers.length > 0 ||
      this.status.length > 0 ||
      this.created.date !== null ||
      this.expires.date !== null ||
      this.updated.date !== null
    );
  }

  /** Takes the value between two offsets of `text` for a field whose label had the given rank. */
  take(field: FieldName, rank: number, text: string, from: number, end: number): void {
    switch (field) {
      case 'domain':
        this.#takeDomain(rank, text, from, end);
        return;
      case 'nameServer':
        this.#takeHosts(rank, text, from, end);
        return;
      case 'registrar':
        if (rank < this.#registrarRank) this.#takeRegistrar(rank, text.slice(from, end));
        return;
      case 'status':
        addStatuses(this.status, text.slice(from, end));
        return;
      case 'registrarServer':
        this.registrarServer ??= text.slice(from, end);
        return;
      default:
        takeDate(this[field], rank, text, from, end);
    }
  }

  #takeDomain(rank: number, text: string, from: number, end: number): void {
    if (rank >= this.#domainRank) return;
    const stop = hostEndsAt(text, from, end);
    if (stop < 0) return;
    this.domain = hostName(text.slice(from, stop));
    this.#domainRank = rank;
  }

  #takeHosts(rank: number, text: string, from: number, end: number): void {
    if (rank > this.#nameServerRank) return;
    if (rank < this.#nameServerRank) {
      if (hostEndsAt(text, from, end) < 0) return;
      this.nameServers = [];
      this.#nameServerRank = rank;
    }
    addHosts(this.nameServers, text, from, end);
  }

  #takeRegistrar(rank: number, value: string): void {
    const name = value.replace(ADDRESS_BEHIND, '').trim();
    if (name.length > LONGEST_REGISTRAR || EMPTY_VALUE.test(name)) return;
    this.registrar = name;
    this.#registrarRank = rank;
  }
}

function takeDate(slot: DateSlot, rank: number, text: string, from: number, end: number): void {
  if (rank >= slot.rank) return;
  const date = readStatedDate(text.slice(from, end));
  if (date === null) return;
  slot.date = date;
  slot.rank = rank;
}
