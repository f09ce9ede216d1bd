import { evidenceOf } from '../../record/evidence.ts';
import type { Evidence } from '../../record/evidence.ts';
import type { AnswerLine } from './answer-line.ts';
import { AnswerLines } from './answer-lines.ts';
import { contradictionsOf, evidenceOfLines, tellsOfTrouble } from './contradictions.ts';
import { lastWord } from './line-ends.ts';
import { folded, maskedLine, nameFormsOf } from './masked-line.ts';
import type { NameForms } from './masked-line.ts';
import { guessState } from './patterns.ts';
import { isFirm, isPersonOrFirm } from './placeholder.ts';
import { isSameName } from './same-name.ts';
import { SENTENCES } from './sentence-table.ts';
import { Statement } from './statement.ts';
import type { SentenceState, Source } from './sentence-table.ts';
import { areOfRegistration } from './status-words.ts';
import type { TextRecord } from './text-record.ts';

/** In an answer as short as this no terms of use stand: all of it has a say. */
const LONGEST_SHORT = 400;
/** A longer sentence, paragraph or list of remarks is of terms of use: `The use for other purposes is not permitted`. */
const LONGEST_GUESSED = 120;
const MOST_LINES = 3;
const MOST_REMARKS = 8;
const SMALL_LETTER = /^\P{L}*\p{Ll}/u;
/** A known sentence as long as this stands for itself, in terms of use too. */
const WHOLE_SENTENCE = 60;

/** What a server other than WHOIS answers with: a page, an HTTP head, JSON. It is never a registry's word on a name. */
const FOREIGN = /^[ \t\ufeff]{0,64}(?:<[!?a-z]|HTTP\/\d|content-type: |x-powered-by: )/im;
const JSON_TEXT = /^\s{0,64}(?:\{|\[\s{0,64}[{"])/;
interface AnswerParts {
  /** As it came. */
  raw: string;
  /** As lines, see plainTextOf. */
  plain: string;
  /** The record that the answer is read for. */
  record: TextRecord;
  queriedName: string | null;
  server: string | null;
}

/** What is known of one answer, in the terms in which it is judged. */
export class RegistryAnswer {
  readonly record: TextRecord;
  readonly #parts: AnswerParts;
  readonly #source: Source;
  #forms: NameForms | undefined;
  #answerLines: readonly AnswerLine[] | undefined;
  #statements: readonly Statement[] | undefined;
  #factCount: number | undefined;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
    this.record = parts.record;
    const name = parts.queriedName ?? parts.record.domain;
    this.#source = { server: parts.server, zone: name === null ? null : name.slice(name.indexOf('.') + 1) };
  }

  /** The root keeps an object for top-level domains that nobody runs: `organisation: Not assigned`. */
  isUnassigned(): boolean {
    const { domain } = this.record;
    if (domain?.includes('.') !== false) return false;
    return /^\s{0,8}organisation[^:\n]{0,40}:\s{1,40}Not\sassigned/im.test(this.#parts.plain);
  }

  /**
   * Whether name, name servers and a date, or registrar and status, are stated, of the very name asked for, and no status
   * that says otherwise.
   */
  isFullRecord(): boolean {
    const { queriedName: asked } = this.#parts;
    const { domain, nameServers, status } = this.record;
    if (domain === null || this.record.isEcho() || nameServers.length === 0) return false;
    if (asked !== null && !isSameName(domain, asked)) return false;
    const isOfRegistration = areOfRegistration(status);
    if (!this.record.isDated() && !(isOfRegistration && this.#hasRegistrar())) return false;
    return isOfRegistration || status.every((word) => this.#stateOfStatus(word) === undefined);
  }

  isForeign(): boolean {
    const head = this.#parts.raw.slice(0, 1000);
    return FOREIGN.test(head) || JSON_TEXT.test(head);
  }

  /** How many kinds of facts of a registration are stated: holder, registrar, name servers, dates, status. */
  factCount(): number {
    this.#factCount ??= this.#countFacts();
    return this.#factCount;
  }

  hasFacts(): boolean {
    return this.factCount() > 0;
  }

  /** Whether the record is of another name than the one asked for. */
  isRecordOfAnother(): boolean {
    const { queriedName: asked } = this.#parts;
    const { domain } = this.record;
    return asked !== null && domain?.includes('.') === true && !isSameName(domain, asked);
  }

  /** Whether something is said of the name asked for beside the record of another. */
  isBesideAnother(): boolean {
    const { queriedName: asked, plain } = this.#parts;
    if (asked === null || !this.isRecordOfAnother()) return false;
    return this.denials().length > 0 || plain.toLowerCase().includes(asked);
  }

  /**
   * A name with name servers or two kinds of facts; with one kind no line of trouble may stand beside it. A name that
   * may be the question's takes two kinds. Without a name two facts, in a text that has the label asked for.
   */
  isRegistered(): boolean {
    const { domain, nameServers } = this.record;
    if (domain === null) return this.#isNamelessRecord();
    const count = this.factCount();
    const isFact = this.record.isDated() || this.#hasStatus() || this.#hasPlausibleHolder();
    if (this.record.isEcho()) return count > 1 && (isFact || nameServers.length > 0) && !this.#hasTrouble();
    if (nameServers.length > 0) return true;
    return isFact && (count > 1 || !this.#hasTrouble());
  }

  /** All lines that say "no", and values of status that do. */
  denials(): readonly Statement[] {
    return this.#allStatements().filter(({ state }) => state === 'no');
  }

  /** The first line that the table knows under one of the states. */
  find(...states: SentenceState[]): Statement | null {
    const isStated = ({ state, kind, at }: Statement) =>
      states.some((each) => each === state) &&
      (kind === 'status' || !at.isProse || at.text.length >= WHOLE_SENTENCE);
    return this.#allStatements().find(isStated) ?? null;
  }

  /** The first value of status that the table knows under a state. */
  findStatus(wanted: SentenceState): Statement | null {
    return this.#allStatements().find(({ state, kind }) => kind === 'status' && state === wanted) ?? null;
  }

  /** What speaks against the denials; a "no" is believed where there is nothing. */
  against(denials: readonly Statement[]): readonly Evidence[] {
    return contradictionsOf(
      denials.map(({ at }) => at),
      { lines: this.#lines(), isShort: this.#isShort(), isNamed: this.record.domain !== null },
    );
  }

  /** The first line for which a pattern speaks, where the table knows none. */
  guess(): Statement | null {
    for (const line of this.#lines()) {
      if (line.sentenceState !== undefined || !this.#standsAlone(line)) continue;
      const state = guessState(line.masked);
      // A client is asked to wait in a banner too, and believing it does no harm.
      if (state === undefined || (state !== 'throttled' && this.#isInBanner(line))) continue;
      return new Statement('sentence', line, state);
    }
    return null;
  }

  /** The first lines that are neither known nor labels with values, for a reader who wonders. */
  unknownLines(): readonly Evidence[] {
    return evidenceOfLines(this.#lines().filter((line) => line.sentenceState === undefined));
  }

  /** The lines that are no terms of use. */
  ownLines(): readonly AnswerLine[] {
    return this.#lines().filter(({ isProse }) => !isProse);
  }

  /** A line and those behind it, without the name. */
  linesFrom({ at }: Statement): string[] {
    const start = this.#lines().indexOf(at);
    return this.#lines()
      .slice(start, start + 4)
      .map(({ text }) => this.#withoutName(text));
  }

  /** The line that tells most of the registration. */
  recordEvidence(): Evidence {
    const { registrar, nameServers, status, holder, domain } = this.record;
    const stated =
      [registrar, nameServers[0], status[0], holder, domain].find((value) => value != null) ?? '';
    const { plain } = this.#parts;
    const exact = plain.indexOf(stated);
    const at = exact >= 0 ? exact : plain.toLowerCase().indexOf(stated.toLowerCase());
    if (at < 0) return evidenceOf('record', stated);
    const end = plain.indexOf('\n', at);
    return evidenceOf('record', plain.slice(plain.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end));
  }

  #countFacts(): number {
    const { holder, nameServers } = this.record;
    const facts = [
      holder !== null,
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
    // `status: ok` may be that of the question.
    const { status } = this.record;
    const own = this.record.isEcho() ? status.filter((word) => word.toLowerCase() !== 'ok') : status;
    return areOfRegistration(own);
  }

  /** Who holds or serves the name, where nothing else is told: in a short answer only a firm is believed. */
  #hasPlausibleHolder(): boolean {
    const { holder, registrar } = this.record;
    const isPlausible = this.#isShort() ? isFirm : isPersonOrFirm;
    return isPlausible(holder) || (this.#hasRegistrar() && isPlausible(registrar));
  }

  #isNamelessRecord(): boolean {
    const { queriedName: asked, plain } = this.#parts;
    const { created, expires, nameServers, registrar, updated } = this.record;
    const facts = [registrar, created.date, expires.date, updated.date].filter((fact) => fact !== null);
    return facts.length + nameServers.length > 1 && plain.toLowerCase().includes(asked?.split('.')[0] ?? '');
  }

  #lines(): readonly AnswerLine[] {
    this.#answerLines ??= new AnswerLines(this.#parts.plain, this.#nameForms(), this.#source).all;
    return this.#answerLines;
  }

  #nameForms(): NameForms {
    this.#forms ??= nameFormsOf(this.#parts.queriedName);
    return this.#forms;
  }

  #allStatements(): readonly Statement[] {
    this.#statements ??= [...this.#statusStatements(), ...this.#sentences()];
    return this.#statements;
  }

  #sentences(): Statement[] {
    const statements: Statement[] = [];
    for (const at of this.#lines()) {
      if (at.sentenceState === undefined || at.sentenceState === 'beside') continue;
      statements.push(new Statement('sentence', at, at.sentenceState));
    }
    return statements;
  }

  /** Values of status that the table knows, under whatever label they stand. */
  #statusStatements(): Statement[] {
    return this.record.status.flatMap((status) => {
      const state = this.#stateOfStatus(status);
      const at = state === undefined ? undefined : this.#lines().find(({ text }) => text.endsWith(status));
      if (state === undefined || at === undefined) return [];
      at.sentenceState ??= state;
      return [new Statement('status', at, state)];
    });
  }

  #stateOfStatus(status: string): SentenceState | undefined {
    if (SENTENCES.lastWordsAfter('status')?.has(lastWord(status)) !== true) return undefined;
    return SENTENCES.stateOf(`status ${maskedLine(folded(status), this.#nameForms())}`, this.#source);
  }

  #isShort(): boolean {
    return this.#parts.plain.length <= LONGEST_SHORT;
  }

  #hasTrouble(): boolean {
    return this.#isShort() && this.#lines().some(tellsOfTrouble);
  }

  /** Whether a line is a sentence of its own: of a few lines, and not the rest of one that begins above. */
  #standsAlone(line: AnswerLine): boolean {
    if (line.isProse || line.text.length > LONGEST_GUESSED) return false;
    const beside = this.#lines().filter(({ paragraph }) => paragraph === line.paragraph).length;
    const mayBeginAbove = this.#lines().length > MOST_LINES && SMALL_LETTER.test(line.text);
    return beside <= MOST_LINES && !mayBeginAbove;
  }

  #isInBanner(line: AnswerLine): boolean {
    return line.isRemark() && this.#lines().filter((other) => other.isRemark()).length > MOST_REMARKS;
  }

  #withoutName(text: string): string {
    let rest = folded(text);
    for (const form of this.#nameForms().forms) rest = rest.replaceAll(form, ' ');
    return rest;
  }
}
