import { evidenceOf } from '../../look-up/evidence.ts';
import type { Evidence } from '../../look-up/evidence.ts';
import { AnswerLines } from './answer-lines.ts';
import type { AnswerLine } from './answer-lines.ts';
import { labelOf } from './lines.ts';
import { folded, maskedLine, nameFormsOf } from './masked-line.ts';
import type { NameForms } from './masked-line.ts';
import { guessState, isTrouble } from './patterns.ts';
import type { GuessedState } from './patterns.ts';
import { isFirm, isPersonOrFirm } from './placeholder.ts';
import { isSameName } from './same-name.ts';
import { SENTENCES } from './sentence-table.ts';
import type { SentenceState, Source } from './sentence-table.ts';
import { areOfRegistration } from './status-words.ts';
import type { TextRecord } from './text-record.ts';
import { GENERAL_LABELS } from './vocabulary.ts';

/** In an answer as short as this no terms of use stand: all of it has a say. */
const LONGEST_SHORT = 400;
const MOST_CONTRADICTIONS = 4;
/** A known sentence as long as this stands for itself, in terms of use too. */
const WHOLE_SENTENCE = 60;

/** What a server other than WHOIS answers with: a page, an HTTP head, JSON. It is never a registry's word on a name. */
const FOREIGN = /^[ \t\ufeff]{0,64}(?:<[!?a-z]|HTTP\/\d|content-type: |x-powered-by: )/im;
const JSON_TEXT = /^\s{0,64}(?:\{|\[\s{0,64}[{"])/;
/** An echo of the question, or where to read on. */
const ONLY_MARKS = /^(?:\{(?:name|url|mail|n)\} ?)+$/;
const MARKER = /^(?:[%#>;*]|\/\/)+\s*/;
/** A line that says what comes below it. */
const OF_AN_ANSWER = /result|answer|response|reply|search|quer(?:y|ies)|look-?up|whois|domain/i;

interface AnswerParts {
  /** As it came. */
  raw: string;
  /** As lines, see plainTextOf. */
  plain: string;
  records: readonly TextRecord[];
  /** The record that the answer is read for. */
  record: TextRecord;
  asked: string | null;
  server: string | null;
}

/** A line that states something, with the state. */
export interface Statement extends Evidence {
  state: SentenceState | GuessedState;
  at: AnswerLine;
}

/** What is known of one answer, in the terms in which it is judged. */
export class Answer {
  readonly record: TextRecord;
  readonly #parts: AnswerParts;
  readonly #source: Source;
  #forms: NameForms | undefined;
  #lines: AnswerLines | undefined;
  #statements: readonly Statement[] | undefined;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
    this.record = parts.record;
    const name = parts.asked ?? parts.record.domain;
    this.#source = { server: parts.server, zone: name === null ? null : name.slice(name.indexOf('.') + 1) };
  }

  /** The root keeps an object for top-level domains that nobody runs: `organisation: Not assigned`. */
  isUnassigned(): boolean {
    const { domain } = this.record;
    if (domain?.includes('.') !== false) return false;
    return /^organisation[^:\n]{0,40}: {1,8}Not assigned/im.test(this.#parts.plain);
  }

  /** Whether name, name servers and a date are stated, of the very name asked for, and no status that says otherwise. */
  isFullRecord(): boolean {
    const { asked } = this.#parts;
    const { domain, nameServers, status } = this.record;
    if (domain === null || this.record.isEcho() || nameServers.length === 0 || !this.record.isDated())
      return false;
    if (asked !== null && !isSameName(domain, asked)) return false;
    return areOfRegistration(status) || status.every((word) => this.#stateOfStatus(word) === undefined);
  }

  isForeign(): boolean {
    const head = this.#parts.raw.slice(0, 1000);
    return FOREIGN.test(head) || JSON_TEXT.test(head);
  }

  /** How many kinds of facts of a registration are stated: holder, registrar, name servers, dates, status. */
  factCount(): number {
    const { holder, nameServers } = this.record;
    const facts = [
      holder !== null,
      this.#hasRegistrar(),
      nameServers.length > 0,
      this.#isDated(),
      this.#hasStatus(),
    ];
    return facts.filter(Boolean).length;
  }

  hasFacts(): boolean {
    return this.factCount() > 0;
  }

  /** Whether the record is of another name than the one asked for. */
  isRecordOfAnother(): boolean {
    const { asked } = this.#parts;
    const { domain } = this.record;
    return asked !== null && domain?.includes('.') === true && !isSameName(domain, asked);
  }

  /** Whether something is said of the name asked for beside the record of another. */
  isBesideAnother(): boolean {
    const { asked, plain, records } = this.#parts;
    const { domain } = this.record;
    if (asked === null || !this.isRecordOfAnother()) return false;
    if (this.denials().length > 0 || plain.toLowerCase().includes(asked)) return true;
    return records.some((other) => other.domain !== null && other.domain !== domain);
  }

  /**
   * A name with name servers or two kinds of facts; with one kind no line of trouble may stand beside it. A name that
   * may be the question's takes two kinds. Without a name two facts, in a text that has the label asked for.
   */
  isRegistered(): boolean {
    const { domain, nameServers } = this.record;
    if (domain === null) return this.#isNamelessRecord();
    const count = this.factCount();
    const isFact = this.#isDated() || this.#hasStatus() || this.#hasPlausibleHolder();
    if (this.record.isEcho()) return count > 1 && (isFact || nameServers.length > 0) && !this.#hasTrouble();
    if (nameServers.length > 0) return true;
    return isFact && (count > 1 || !this.#hasTrouble());
  }

  /** All lines that say "no", and values of status that do; `weak` ones do not count beside facts. */
  denials(): readonly Statement[] {
    const isNo = ({ state }: Statement) => state === 'no' || (state === 'weak' && !this.hasFacts());
    return this.#allStatements().filter(isNo);
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

  /**
   * What speaks against the denials: unknown lines in the paragraph of each of them, unknown lines about the name
   * wherever they stand, and trouble anywhere in a short answer. A "no" is believed where there is none.
   */
  against(denials: readonly Statement[]): readonly Evidence[] {
    const lines = this.#answerLines();
    const unknown = denials.map(({ at }) =>
      lines.paragraphOf(at).filter((line) => this.#isUnknown(line, at)),
    );
    const about = lines.all.filter((line) => line.known === undefined && this.#isAboutName(line));
    const trouble = this.#isShort() ? this.#troubleLines() : [];
    const isCredible = unknown.some((inParagraph) => inParagraph.length === 0);
    const against = [...(isCredible ? [] : unknown.flat()), ...about, ...trouble];
    return [...new Set(against)]
      .slice(0, MOST_CONTRADICTIONS)
      .map(({ text }) => evidenceOf('sentence', text));
  }

  /** The first line for which a pattern speaks, where the table knows none. */
  guess(): Statement | null {
    const lines = this.#answerLines();
    for (const line of lines.all) {
      const state = line.known !== undefined || line.isProse ? undefined : guessState(lines.masked(line));
      if (state !== undefined) return { ...evidenceOf('sentence', line.text), state, at: line };
    }
    return null;
  }

  /** The first lines that are neither known nor labels with values, for a reader who wonders. */
  unknownLines(): readonly Evidence[] {
    const unknown = this.#answerLines().all.filter((line) => line.known === undefined);
    return unknown.slice(0, MOST_CONTRADICTIONS).map(({ text }) => evidenceOf('sentence', text));
  }

  /** The lines that are no terms of use. */
  ownLines(): readonly AnswerLine[] {
    return this.#answerLines().all.filter(({ isProse }) => !isProse);
  }

  /** A line and those behind it, without the name. */
  linesFrom({ at }: Statement): string[] {
    const { all } = this.#answerLines();
    const start = all.indexOf(at);
    return all.slice(start, start + 4).map(({ text }) => this.#withoutName(text));
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

  #hasRegistrar(): boolean {
    const { registrar } = this.record;
    return registrar !== null && !areOfRegistration([registrar]);
  }

  #isDated(): boolean {
    return this.record.isDated();
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
    const { asked, plain } = this.#parts;
    const [label = ''] = asked?.split('.') ?? [];
    const { created, expires, nameServers, registrar, updated } = this.record;
    const facts = [registrar, created.date, expires.date, updated.date].filter((fact) => fact !== null);
    return facts.length + nameServers.length > 1 && plain.toLowerCase().includes(label);
  }

  #answerLines(): AnswerLines {
    this.#lines ??= new AnswerLines(this.#parts.plain, this.#nameForms(), this.#source);
    return this.#lines;
  }

  #nameForms(): NameForms {
    this.#forms ??= nameFormsOf(this.#parts.asked);
    return this.#forms;
  }

  #allStatements(): readonly Statement[] {
    this.#statements ??= [...this.#statusStatements(), ...this.#sentences()];
    return this.#statements;
  }

  #sentences(): Statement[] {
    return this.#answerLines().all.flatMap((line) => {
      if (line.known === undefined || line.known === 'beside') return [];
      return [{ ...evidenceOf('sentence', line.text), state: line.known, at: line }];
    });
  }

  /** Values of status that the table knows, under whatever label they stand. */
  #statusStatements(): Statement[] {
    const lines = this.#answerLines();
    return this.record.status.flatMap((status) => {
      const state = this.#stateOfStatus(status);
      const at = lines.all.find(({ text }) => text.endsWith(status));
      if (state === undefined || at === undefined) return [];
      at.known ??= state;
      return [{ ...evidenceOf('status', at.text), state, at }];
    });
  }

  #stateOfStatus(status: string): SentenceState | undefined {
    return SENTENCES.stateOf(`status ${maskedLine(folded(status), this.#nameForms())}`, this.#source);
  }

  #isShort(): boolean {
    return this.#parts.plain.length <= LONGEST_SHORT;
  }

  #hasTrouble(): boolean {
    return this.#isShort() && this.#troubleLines().length > 0;
  }

  #troubleLines(): AnswerLine[] {
    const lines = this.#answerLines();
    return lines.all.filter((line) => {
      if (line.known !== undefined) return false;
      const { label, value } = labelOf(line.text.replace(MARKER, ''));
      const field = GENERAL_LABELS.get(label ?? '')?.field;
      if (field === 'status') return !areOfRegistration([value]) && isTrouble(folded(value));
      return field == null && isTrouble(lines.masked(line));
    });
  }

  /** Whether a line beside a denial says what nobody knows. */
  #isUnknown(line: AnswerLine, denial: AnswerLine): boolean {
    if (line.known !== undefined) return false;
    const lines = this.#answerLines();
    const masked = lines.masked(line);
    if (ONLY_MARKS.test(masked)) return false;
    if (isTrouble(masked)) return true;
    const { label, value } = labelOf(line.text.replace(MARKER, ''));
    // In a form of the registry any field may stand; alone beside a sentence only known ones.
    if (label !== null && value !== '')
      return this.record.domain === null && GENERAL_LABELS.get(label) === undefined;
    if (label !== null) return this.#isOpenField(line, label, denial);
    return !MARKER.test(line.text);
  }

  /**
   * A label without a value beside a denial: one that nobody knows (`Traceback (most recent call last):`), or
   * `Name servers:` right above it, whose value the denial then is.
   */
  #isOpenField(line: AnswerLine, label: string, denial: AnswerLine): boolean {
    const known = GENERAL_LABELS.get(label);
    if (known === undefined) return !OF_AN_ANSWER.test(label);
    const { all } = this.#answerLines();
    if (all.indexOf(line) !== all.indexOf(denial) - 1) return false;
    return known.field == null
      ? !OF_AN_ANSWER.test(label)
      : known.field !== 'domain' && known.field !== 'status';
  }

  /** Whether a line speaks of the name, and does not only repeat it: `Query: free.example`. */
  #isAboutName(line: AnswerLine): boolean {
    const lines = this.#answerLines();
    if (!lines.mentionsName(line)) return false;
    const masked = lines.masked(line);
    if (!masked.includes('{name}') || masked === '{name}') return false;
    const { label, value } = labelOf(line.text.replace(MARKER, ''));
    return label === null || maskedLine(folded(value), this.#nameForms()) !== '{name}';
  }

  #withoutName(text: string): string {
    let rest = folded(text);
    for (const form of this.#nameForms().forms) rest = rest.replaceAll(form, ' ');
    return rest;
  }
}
