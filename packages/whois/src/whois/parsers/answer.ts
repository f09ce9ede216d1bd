import { evidenceOf } from '../../record/registration-record.ts';
import type { Evidence } from '../../record/registration-record.ts';
import { isWithheld, areOfRegistration } from './status-words.ts';
import {
  MAX_SCAN_LENGTH,
  contradictionsOf,
  evidenceOfLines,
  readAnswerLines,
  reportsTrouble,
} from './answer-lines.ts';
import type { AnswerLine } from './answer-lines.ts';
import { guessState } from './patterns.ts';
import type { GuessedState } from './patterns.ts';
import { isForeignForm } from './plain-text.ts';
import { isFirm, isPersonOrFirm } from './placeholder.ts';
import { containsName, isSameName } from './names.ts';
import { SentenceReader, folded } from './sentence-table.ts';
import type { SentenceState } from './sentence-table.ts';
import type { TextLines } from './lines.ts';
import type { TextRecord } from './text-record.ts';

/** A longer list of remarks is terms of use. */
const MAX_REMARKS = 8;
/** A record with fewer known labels may be a program's message. */
const MIN_LABELS = 4;

interface AnswerParts {
  /** As received. */
  raw: string;
  /** As plain lines, see plainTextOf. */
  plain: string;
  /** The record chosen for the queried name. */
  record: TextRecord;
  records: readonly TextRecord[];
  lines: TextLines;
  queriedName: string | null;
  server: string | null;
}

/** A line with its state, usable as evidence. */
export interface Statement extends Evidence {
  state: SentenceState | GuessedState;
  answerLine: AnswerLine;
}

const statementOf = (
  kind: 'sentence' | 'status',
  answerLine: AnswerLine,
  state: Statement['state'],
): Statement => ({ ...evidenceOf(kind, answerLine.text), state, answerLine });

/** One answer of a registry, with the facts by which `classify` determines its state. */
export class RegistryAnswer {
  readonly record: TextRecord;
  readonly #parts: AnswerParts;
  #sentenceReader: SentenceReader | undefined;
  #answerLines: readonly AnswerLine[] | undefined;
  #statements: readonly Statement[] | undefined;
  #factCount: number | undefined;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
    this.record = parts.record;
  }

  /** Made if needed: a full record needs none of its sentences, nor the spellings of the name. */
  #reader(): SentenceReader {
    const { server, queriedName } = this.#parts;
    const name = queriedName ?? this.record.domain;
    const zone = name === null ? null : name.slice(name.indexOf('.') + 1);
    return (this.#sentenceReader ??= new SentenceReader(queriedName, { server, zone }));
  }

  /** Whether IANA has an object for a top-level domain without a registry: `organisation: Not assigned`. */
  isUnassigned(): boolean {
    const { domain } = this.record;
    if (domain?.includes('.') !== false) return false;
    return /^\s{0,8}organisation[^:\n]{0,40}:\s{0,40}Not\sassigned/im.test(this.#parts.plain);
  }

  /**
   * Whether the queried name has name servers, and a date or registrar and status. No status may contradict the
   * registration.
   */
  isFullRecord(): boolean {
    const { queriedName } = this.#parts;
    const { domain, nameServers, status } = this.record;
    if (domain === null || this.record.isEcho() || nameServers.length === 0) return false;
    if (queriedName !== null && !isSameName(domain, queriedName)) return false;
    const isOfRegistration = areOfRegistration(status);
    if (!this.record.isDated() && !(isOfRegistration && this.#hasRegistrar())) return false;
    return isOfRegistration || status.every((word) => this.#stateOfStatus(word) === undefined);
  }

  isOtherProtocol(): boolean {
    return isForeignForm(this.#parts.raw);
  }

  /** Whether all lines are scanned: what the others state is unknown. */
  isScannedWhole(): boolean {
    return this.#parts.plain.length <= MAX_SCAN_LENGTH;
  }

  /** Number of kinds of facts, 0 to 5: registrant, registrar, name servers, dates, status. */
  factCount(): number {
    return (this.#factCount ??= this.#countFacts());
  }

  hasFacts(): boolean {
    return this.factCount() > 0;
  }

  /** Whether any record has a fact, of another name too, or this one an unreadable field: no denial counts beside it. */
  isBesideFacts(): boolean {
    const { domain } = this.record;
    const others = this.#parts.records.filter((record) => !isSameName(record.domain ?? '', domain ?? ''));
    return this.hasFacts() || this.record.unreadable.size > 0 || others.some((record) => record.hasFacts());
  }

  /** Whether the record's name differs from the queried name. */
  isOfAnotherName(): boolean {
    const { queriedName } = this.#parts;
    const { domain } = this.record;
    return queriedName !== null && domain?.includes('.') === true && !isSameName(domain, queriedName);
  }

  /** Whether the answer mentions the queried name beside the record of another one. */
  mentionsNameBesideAnother(): boolean {
    return this.isOfAnotherName() && (this.denials().length > 0 || this.#mentionsName());
  }

  /**
   * Whether the record shows a registration: a name with name servers or two kinds of facts. One kind suffices if no line
   * reports trouble. An echoed name requires two kinds. A record without a name requires two facts, and a text that
   * contains the queried name.
   */
  isRegistered(): boolean {
    const { domain, nameServers } = this.record;
    if (domain === null) return this.#isNamelessRecord();
    const count = this.factCount();
    const isFact = this.record.isDated() || this.#hasStatus() || this.#hasPlausibleRegistrant();
    if (this.record.isEcho()) return count > 1 && (isFact || nameServers.length > 0) && !this.#hasTrouble();
    if (nameServers.length > 0) return true;
    return isFact && (count > 1 || !this.#hasTrouble());
  }

  /** All denials: lines and status values that say the name is not registered. */
  denials(): readonly Statement[] {
    return this.#allStatements().filter(({ state }) => state === 'no');
  }

  /** The first statement with one of the states, a status value before any line. */
  findStatement(...states: SentenceState[]): Statement | null {
    return this.#allStatements().find(({ state }) => states.some((each) => each === state)) ?? null;
  }

  /** Lines that contradict the denials. Without any, a denial is credible. */
  contradictionsTo(denials: readonly Statement[]): readonly Evidence[] {
    const lines = denials.map(({ answerLine }) => answerLine);
    return contradictionsOf(lines, this.#lines(), this.record.isNamed());
  }

  /** The first line outside the table that matches a pattern of patterns.ts. */
  guessStatement(): Statement | null {
    for (const line of this.#lines()) {
      if (line.sentenceState !== undefined || !line.standsAlone()) continue;
      const state = guessState(line.masked);
      // Throttling is stated in banners too, and a wrong guess only delays.
      if (state === undefined || (state !== 'throttled' && this.#isOfOthers(line))) continue;
      // `The use for other purposes is not permitted` refuses no query.
      if (state === 'refused' && line.isTerms()) continue;
      return statementOf('sentence', line, state);
    }
    return null;
  }

  /** The first lines that the table does not contain, as evidence. */
  unknownLines(): readonly Evidence[] {
    return evidenceOfLines(this.#lines().filter((line) => line.sentenceState === undefined));
  }

  /** A statement's line and the next three, without the name. */
  linesFrom({ answerLine }: Statement): string[] {
    const start = this.#lines().indexOf(answerLine);
    const lines = this.#lines().slice(start, start + 4);
    return lines.map(({ text }) => this.#reader().withoutName(text));
  }

  /** The line of the strongest fact of the record. */
  recordEvidence(): Evidence {
    return evidenceOf('record', this.record.factLine());
  }

  #countFacts(): number {
    const { registrant, nameServers } = this.record;
    const facts = [
      registrant !== null,
      this.#hasRegistrar(),
      nameServers.length > 0,
      this.record.isDated(),
      this.#hasStatus(),
    ];
    return facts.filter(Boolean).length;
  }

  #hasRegistrar(): boolean {
    const { registrar } = this.record;
    return registrar !== null && !areOfRegistration([registrar]);
  }

  #hasStatus(): boolean {
    // `status: ok` may be the state of the query, and another status a denial.
    const isOfQuery = (word: string) => this.record.isEcho() && word.toLowerCase() === 'ok';
    const isDenial = (word: string) => this.#stateOfWord(word) === 'no';
    return areOfRegistration(this.record.status.filter((word) => !isOfQuery(word) && !isDenial(word)));
  }

  /** Whether the registrant or registrar is plausible without further facts. With few labels, only a company is. */
  #hasPlausibleRegistrant(): boolean {
    const { registrant, registrar } = this.record;
    const names = [registrant, this.#hasRegistrar() ? registrar : null].filter((name) => name !== null);
    return names.some(isFirm) || (names.some(isPersonOrFirm) && this.#hasManyLabels());
  }

  #hasManyLabels(): boolean {
    const fields = this.#parts.lines.all.filter(({ claim }) => claim === 'field' || claim === 'status');
    return fields.length >= MIN_LABELS;
  }

  #isNamelessRecord(): boolean {
    const { nameServers, registrar } = this.record;
    const facts = [registrar, ...this.record.mainDates()].filter((fact) => fact !== null);
    return facts.length + nameServers.length > 1 && this.#mentionsName();
  }

  /** Whether the text contains the queried name, or a host below it. True without a queried name. */
  #mentionsName(): boolean {
    const { queriedName, plain } = this.#parts;
    if (!queriedName) return true;
    const text = folded(plain);
    const { forms } = this.#reader();
    return (forms.length > 0 ? forms : [queriedName]).some((form) => containsName(text, form));
  }

  #lines(): readonly AnswerLine[] {
    // In a record of a name with several facts or labels, lines with any label are fields.
    const isRecord =
      this.record.domain !== null && (this.factCount() > 1 || (this.hasFacts() && this.#hasManyLabels()));
    return (this.#answerLines ??= readAnswerLines(this.#parts.lines, this.#reader(), isRecord));
  }

  #allStatements(): readonly Statement[] {
    return (this.#statements ??= [
      ...this.#statusStatements(),
      ...this.#lines().flatMap((line) => {
        const { sentenceState: state } = line;
        return state === undefined || state === 'neutral' ? [] : [statementOf('sentence', line, state)];
      }),
    ]);
  }

  /** Status values that the table contains, under any label. */
  #statusStatements(): Statement[] {
    return this.record.status.flatMap((status) => {
      const state = this.#stateOfStatus(status);
      const line = state === undefined ? undefined : this.#lines().find(({ text }) => text.endsWith(status));
      if (state === undefined || line === undefined) return [];
      line.sentenceState ??= state;
      return [statementOf('status', line, state)];
    });
  }

  #stateOfStatus(status: string): SentenceState | undefined {
    const withheld = isWithheld(status) && !this.hasFacts() ? 'reserved' : undefined;
    return this.#stateOfWord(status) ?? withheld;
  }

  #stateOfWord(status: string): SentenceState | undefined {
    const reader = this.#reader();
    return reader.stateOf(reader.mask(`status ${status}`));
  }

  #hasTrouble(): boolean {
    return this.#lines().some(reportsTrouble);
  }

  /** Whether a line is in a banner, or about another name: `The domain other.example is reserved`. */
  #isOfOthers({ isRemark, text }: AnswerLine): boolean {
    const isInBanner = isRemark && this.#lines().filter((line) => line.isRemark).length > MAX_REMARKS;
    return isInBanner || this.#reader().namesAnother(text);
  }
}
