import { addHosts, hostAt, hostName, isOneLabel } from './host-names.ts';
import { RecordDetails } from './record-details.ts';
import { isPlaceholder, withoutWebsite } from './placeholder.ts';
import { readStatedDate } from './stated-date.ts';
import type { StatedDate } from './stated-date.ts';
import { addStatuses, isStateWord } from './status-words.ts';
import type { FieldName } from './vocabulary.ts';

const NOTHING = 9;
/** Rank of `changed:`, which is the object's own; `Last update` and `Updated` may be a clock's. */
const CHANGED = 2;
/** Values of one date field that are looked at before the text is given up as noise. */
const MOST_TRIES = 200;
const LONGEST_REGISTRAR = 200;
/** The first names below .com and .edu were registered in 1985. */
const FIRST_YEAR = 1985;
/** Later ones stand for "never". */
const LAST_YEAR = 2150;
const WIDE_GAP = /\s{2,}|\t/g;
/** `state: CA` is an address. */
const ADDRESS_STATE = 3;

/** A date field: the best value met so far and how certain its label was. */
interface DateSlot {
  date: StatedDate | null;
  rank: number;
  /** Values looked at so far. */
  tries: number;
}

/** One domain object as a text states it: fields as they are filled, better labels winning over weaker. */
export class TextRecord {
  domain: string | null = null;
  registrar: string | null = null;
  registrarServer: string | null = null;
  nameServers: string[] = [];
  status: string[] = [];
  /** Who is named as the one who holds the name. */
  holder: string | null = null;
  /** It holds fields of another record. */
  isMixed = false;
  /** The registrar is a handle told twice, which an object of its own explains. */
  hasHandleOnly = false;
  /** How often a registrar, a date or a status was taken: whether a line told anything new. */
  changes = 0;
  readonly details = new RecordDetails();
  readonly created: DateSlot = { date: null, rank: NOTHING, tries: 0 };
  readonly expires: DateSlot = { date: null, rank: NOTHING, tries: 0 };
  readonly updated: DateSlot = { date: null, rank: NOTHING, tries: 0 };
  #domainRank = NOTHING;
  #registrarRank = NOTHING;
  #nameServerRank = NOTHING;
  #statusRank = NOTHING;

  /** Whether it is told who holds or serves the name, which no error and no echo of a question tells. */
  isServed(): boolean {
    return this.registrar !== null || this.nameServers.length > 0;
  }

  /** Whether a date of the name is known; the registry's clock is none, nor the zero or the end of a computer's. */
  isDated(): boolean {
    const { created, expires, updated } = this;
    const dates = [created.date, expires.date, updated.rank === CHANGED ? updated.date : null];
    return dates.some((date) => date !== null && date.year >= FIRST_YEAR && date.year <= LAST_YEAR);
  }

  /** Whether somebody holds the name: a registrar, a name server or a date is known. */
  isHeld(): boolean {
    return this.isServed() || this.isDated();
  }

  /** Whether its name may be the question's, echoed: `Query: sample.example`. */
  isEcho(): boolean {
    return this.#domainRank === 2;
  }

  /** Whether no field is left to be filled. */
  isComplete(): boolean {
    const { domain, registrar, created, expires, updated } = this;
    const single = [domain, registrar, created.date, expires.date, updated.date];
    return !single.includes(null) && this.nameServers.length > 0 && this.status.length > 0;
  }

  /** Whether anything but the name is known. */
  hasFacts(): boolean {
    return this.status.length > 0 || this.holder !== null || this.isHeld();
  }

  /** Fills what is unknown from another record of the same name; a plainer registrar's name replaces a handle. */
  fillFrom(other: TextRecord): void {
    if (other.#registrarRank < this.#registrarRank) {
      this.registrar = other.registrar;
      this.#registrarRank = other.#registrarRank;
    }
    this.registrarServer ??= other.registrarServer;
    this.details.fillFrom(other.details);
    if (this.nameServers.length === 0) this.nameServers = other.nameServers;
    if (this.status.length === 0) this.status = other.status;
    for (const field of ['created', 'expires', 'updated'] as const) {
      if (this[field].date === null) this[field].date = other[field].date;
    }
  }

  /** Takes a value for a field whose label had the given rank; of a history of the domain's changes the latest counts. */
  setField(field: FieldName, rank: number, value: string, isHistory = false): void {
    switch (field) {
      case 'domain':
        this.#takeDomain(rank, value);
        return;
      case 'nameServer':
        this.#takeHosts(rank, value);
        return;
      case 'registrar':
        if (rank < this.#registrarRank) this.#takeRegistrar(rank, value);
        return;
      case 'status':
        this.#takeStatus(rank, value);
        return;
      case 'registrarServer':
        this.registrarServer ??= value;
        return;
      default:
        this.#takeDate(field, rank, value, isHistory);
    }
  }

  #takeDomain(rank: number, value: string): void {
    if (rank >= this.#domainRank) return;
    const host = hostAt(value);
    if (host !== null) {
      this.domain = hostName(host);
      this.#domainRank = rank;
      // `DNS: sample.example` beside `Domain: sample.example` (.dk) is the name once more, whichever comes first.
      this.nameServers = this.nameServers.filter((server) => server !== this.domain);
      // Freenom's zones: `GOOGLE.TK is Active`.
      const behind = value.slice(host.length).trim();
      if (behind === '') return;
      if (behind.startsWith('is ')) addStatuses(this.status, behind.slice(3));
      else if (isStateWord(behind)) addStatuses(this.status, behind);
    } else if (this.domain === null && rank === 1 && isOneLabel(value)) {
      this.domain = value.toLowerCase();
    }
  }

  #takeHosts(rank: number, value: string): void {
    if (rank > this.#nameServerRank || (this.domain !== null && this.domain === hostName(value))) return;
    if (rank < this.#nameServerRank) {
      if (hostAt(value) === null) return;
      this.nameServers = [];
      this.#nameServerRank = rank;
    }
    addHosts(this.nameServers, value);
  }

  #takeStatus(rank: number, value: string): void {
    if (rank > this.#statusRank || (rank === 2 && value.length <= ADDRESS_STATE)) return;
    if (rank < this.#statusRank && this.#statusRank === 3) this.status = [];
    this.#statusRank = Math.max(rank, 2);
    const { length } = this.status;
    addStatuses(this.status, value);
    if (this.status.length !== length) this.changes++;
  }

  #takeRegistrar(rank: number, value: string): void {
    const name = withoutWebsite(unquoted(value.trim()).replace(WIDE_GAP, ' '));
    if (name.length > LONGEST_REGISTRAR || isPlaceholder(name)) return;
    this.registrar = name;
    this.hasHandleOnly = false;
    this.#registrarRank = rank;
    this.changes++;
  }

  /** Takes a date of a better label; of a history, where old RIPE software piles lines up, the latest. */
  #takeDate(field: 'created' | 'expires' | 'updated', rank: number, value: string, isHistory: boolean): void {
    const slot = this[field];
    if ((isHistory ? rank > slot.rank : rank >= slot.rank) || slot.tries++ > MOST_TRIES) return;
    const date = readStatedDate(unquoted(value));
    if (date === null || (rank === slot.rank && !isLater(date, slot.date))) return;
    slot.date = date;
    slot.rank = rank;
    this.changes++;
  }
}

/** YAML quotes its values (whois.smallregistry.net). */
function unquoted(value: string): string {
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}

function isLater(date: StatedDate, than: StatedDate | null): boolean {
  if (than === null) return true;
  return dayNumber(date) > dayNumber(than);
}

function dayNumber({ year, month, day }: StatedDate): number {
  return year * 10_000 + month * 100 + day;
}
