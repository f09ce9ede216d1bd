import { DATES, mapRows } from '../../record/fields.ts';
import type { DateName } from '../../record/fields.ts';
import { UNREADABLE } from '../../record/registration-record.ts';
import type { RecordField } from '../../record/registration-record.ts';
import { ONE_LABEL, addHosts, hostAt, hostName, isSameName } from './names.ts';
import { isNoDate, isNoValue, isPersonOrFirm, withoutQuotes } from './placeholder.ts';
import { RecordDetails, readSellerName } from './record-details.ts';
import { YEAR, readStatedDate } from './published-date.ts';
import type { StatedDate } from './published-date.ts';
import { STATUS_WORD, addStatuses, mayBeStatus } from './status-words.ts';
import type { FieldName } from './vocabulary.ts';

/** Below every rank of a label. */
const UNRANKED = 9;
/** Rank of `changed:`, a date of the object. `Last update` and `Updated` may be the database's. */
const CHANGED = 2;
/** The first names below .com and .edu were registered in 1985. */
const FIRST_YEAR = 1985;
/** Later years mean "never". */
const LAST_YEAR = 2150;
/** `state: CA` is part of an address, whatever its words; a longer one may be a status. */
const ADDRESS_STATE = 3;

/** A date field: the best value so far with the rank of its label. */
interface DateSlot {
  date: StatedDate | null;
  rank: number;
}

/** One domain object of a text. Of several values, the one with the better label counts. */
export class TextRecord {
  domain: string | null = null;
  registrar: string | null = null;
  registrarServer: string | null = null;
  nameServers: string[] = [];
  status: string[] = [];
  /** The registrant, as stated. */
  registrant: string | null = null;
  /** Fields with a value that may be of another record or object. */
  readonly #doubtful = new Set<FieldName>();
  /** It has hosts from below another object: doubtful, too, if that object has any other field of it. */
  hasDoubtfulHosts = false;
  /** The registrar is a handle that a separate object describes. */
  hasHandleOnly = false;
  /** Number of changes of registrar, dates and statuses. */
  changes = 0;
  /** Fields with a value that is neither readable nor a placeholder. */
  readonly unreadable = new Set<RecordField>();
  readonly details = new RecordDetails();
  readonly dates = mapRows(DATES, (): DateSlot => ({ date: null, rank: UNRANKED }));
  /** The facts so far with the line that stated each. */
  readonly #facts: ({ value: string | null; line: string } | undefined)[] = [];
  #isDatedInPart = false;
  #domainRank = UNRANKED;
  #registrarRank = UNRANKED;
  #nameServerRank = UNRANKED;
  #statusRank = UNRANKED;

  /**
   * Whether a plausible date of the name is stated. The date of the database does not count, nor a day of deletion: an
   * expired name may state only this.
   */
  isDated(): boolean {
    const [created, expires, updated = null] = this.mainDates();
    const dates = [created, expires, this.dates.updatedDate.rank === CHANGED ? updated : null];
    return (
      this.#isDatedInPart ||
      dates.some((date) => date != null && date.year >= FIRST_YEAR && date.year <= LAST_YEAR)
    );
  }

  /** When it was created, expires and was updated. */
  mainDates(): (StatedDate | null)[] {
    const { creationDate, expirationDate, updatedDate } = this.dates;
    return [creationDate.date, expirationDate.date, updatedDate.date];
  }

  /** Whether its name may be an echo of the query: `Query: sample.example`. */
  isEcho(): boolean {
    return this.#domainRank === 2;
  }

  /** Whether a label states its name, not a line alone. */
  isNamed(): boolean {
    return this.#domainRank < 3;
  }

  /** Whether all fields have a value. */
  isComplete(): boolean {
    const single = [this.domain, this.registrar, ...this.mainDates()];
    return !single.includes(null) && this.nameServers.length > 0 && this.status.length > 0;
  }

  /** Whether anything beside the name is stated. */
  hasFacts(): boolean {
    const isServed = this.registrar !== null || this.nameServers.length > 0;
    return isServed || this.status.length > 0 || this.registrant !== null || this.isDated();
  }

  /** Call for a field with a value that may be of another record or object. */
  doubt(field: FieldName): void {
    this.#doubtful.add(field);
  }

  /** Makes the doubtful fields unreadable: no state may follow from them. */
  removeDoubtful(): void {
    if (this.#doubtful.size > 0 && this.hasDoubtfulHosts) this.#doubtful.add('nameServer');
    for (const field of this.#doubtful) {
      if (field === 'nameServer') this.nameServers = [];
      else if (field === 'status') this.status = [];
      else if (field === 'registrar') this.registrar = null;
      else if (field === 'domain' || field === 'registrarServer') continue;
      else this.dates[field].date = null;
      this.unreadable.add(field === 'nameServer' ? 'nameServers' : field);
    }
  }

  /** Adds missing fields from another record of the same name. A registrar of a better label replaces a handle. */
  fillFrom(other: TextRecord): void {
    if (other.#registrarRank < this.#registrarRank && !this.#doubtful.has('registrar')) {
      this.registrar = other.registrar;
      this.#registrarRank = other.#registrarRank;
    }
    this.registrarServer ??= other.registrarServer;
    this.details.fillFrom(other.details);
    for (const field of other.unreadable) this.unreadable.add(field);
    if (this.nameServers.length === 0) this.nameServers = other.nameServers;
    if (this.status.length === 0) this.status = other.status;
    mapRows(this.dates, (name, slot) => (slot.date ??= other.dates[name].date));
    this.noteFacts((at) => other.#facts[at]?.line ?? '');
  }

  /** Records the lines that stated the new facts. */
  noteFacts(lineOf: (at: number) => string): void {
    const { registrar, nameServers, status, registrant, domain } = this;
    const values = [registrar, nameServers[0] ?? null, status[0] ?? null, registrant, domain];
    for (const [at, value] of values.entries()) {
      if (value !== (this.#facts[at]?.value ?? null)) this.#facts[at] = { value, line: lineOf(at) };
    }
  }

  /** The line that stated the strongest fact; empty without any. */
  factLine(): string {
    return this.#facts.find((fact) => (fact?.value ?? null) !== null)?.line ?? '';
  }

  setRegistrant(value: string): void {
    if (this.registrant !== null || !isPersonOrFirm(value)) return;
    this.registrant = value;
  }

  /** Sets a field from a label of the given rank. In a history of changes the latest date counts. */
  setField(field: FieldName, rank: number, value: string, isHistory = false): void {
    if (field === 'domain') this.#setDomain(rank, value);
    else if (field === 'nameServer') this.#addNameServers(rank, value);
    else if (field === 'registrar') this.#setRegistrar(rank, value);
    else if (field === 'status') this.#addStatuses(rank, value);
    else if (field === 'registrarServer') this.registrarServer ??= value;
    else this.#setDate(field, rank, value, isHistory);
  }

  #setDomain(rank: number, value: string): void {
    if (rank >= this.#domainRank) return;
    const host = hostAt(value);
    if (host !== null) {
      this.domain = hostName(host);
      this.#domainRank = rank;
      this.nameServers = this.nameServers.filter((server) => !this.#isOwnName(server));
      // Freenom's zones: `GOOGLE.TK is Active`.
      const behind = value.slice(host.length).trim();
      if (behind.startsWith('is ')) addStatuses(this.status, behind.slice(3));
      else if (STATUS_WORD.test(behind)) addStatuses(this.status, behind);
    } else if (this.domain === null && rank === 1 && ONE_LABEL.test(value)) {
      this.domain = value.toLowerCase();
    }
  }

  #addNameServers(rank: number, value: string): void {
    if (rank > this.#nameServerRank || this.#isOwnName(value)) return;
    const hosts = rank < this.#nameServerRank ? [] : this.nameServers;
    addHosts(hosts, value);
    if (hosts.length === 0) {
      // `not.defined` has the form of a host.
      if (hostAt(value) === null && !isNoValue(value)) this.unreadable.add('nameServers');
      return;
    }
    this.nameServers = hosts;
    this.#nameServerRank = rank;
  }

  /** .dk repeats the name, in A-labels: `DNS: sample.example` before or after `Domain: sample.example`. */
  #isOwnName(value: string): boolean {
    return this.domain !== null && isSameName(hostName(value) ?? '', this.domain);
  }

  #addStatuses(rank: number, value: string): void {
    if (rank > this.#statusRank || (rank === 2 && value.length <= ADDRESS_STATE)) return;
    if (rank === 2 && !mayBeStatus(value)) {
      this.unreadable.add('status');
      return;
    }
    if (rank < this.#statusRank && this.#statusRank === 3) this.status = [];
    this.#statusRank = Math.max(rank, 2);
    const { length } = this.status;
    if (!addStatuses(this.status, value)) this.unreadable.add('status');
    if (this.status.length !== length) this.changes++;
  }

  #setRegistrar(rank: number, value: string): void {
    if (rank >= this.#registrarRank) return;
    const name = readSellerName(value);
    if (name === UNREADABLE) this.unreadable.add('registrar');
    if (name === UNREADABLE || name === null) return;
    this.registrar = name;
    this.hasHandleOnly = false;
    this.#registrarRank = rank;
    this.changes++;
  }

  /** Sets a date from a better label. In a history of several lines (old RIPE software) the latest counts. */
  #setDate(field: DateName, rank: number, value: string, isHistory: boolean): void {
    const slot = this.dates[field];
    if (isHistory ? rank > slot.rank : rank >= slot.rank) return;
    const date = readStatedDate(withoutQuotes(value));
    if (date === null && !isNoDate(value)) this.#noteUnreadable(field, value);
    if (date === null || (rank === slot.rank && !isLater(date, slot.date))) return;
    slot.date = date;
    slot.rank = rank;
    this.changes++;
  }

  /** `before Aug-1996` (.uk) is no date, but shows that the name was registered. */
  #noteUnreadable(field: DateName, value: string): void {
    this.unreadable.add(field);
    this.#isDatedInPart ||= field === 'creationDate' && YEAR.test(value);
  }
}

const isLater = (date: StatedDate, than: StatedDate | null): boolean =>
  than === null || dayNumber(date) > dayNumber(than);

function dayNumber({ year, month, day }: StatedDate): number {
  return year * 10_000 + month * 100 + day;
}
