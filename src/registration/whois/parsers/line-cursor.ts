import {
  afterBullet,
  afterEnumerator,
  isAsciiLetter,
  isBlank,
  isDigit,
  isRemark,
  isRule,
} from './line-shapes.ts';

const LONGEST_LABEL = 56;
/** How far into a line a label may end that only a wide gap parts from its value. */
const LONGEST_LOOSE_LABEL = 40;
const SPACE = 32;
const HASH = 35;
const COMMA = 44;
const DOT = 46;
const COLON = 58;
const FULL_WIDTH_COLON = '：';
const NOWHERE = Number.MAX_SAFE_INTEGER;

/**
 * Walks over a text line by line without cutting it up: a line is a pair of offsets, and its label another,
 * so that the many lines nobody asks about (contacts, terms of use) cost no allocation.
 */
export class LineCursor {
  readonly text: string;
  /** Offsets of the trimmed line. */
  start = 0;
  end = 0;
  /** Number of blanks before the line. */
  indent = 0;
  /** Whether an empty line or a remark stands between this line and the one before. */
  afterGap = true;
  /** Offsets of the label; `labelEnd` is -1 where the line has none. */
  labelStart = 0;
  labelEnd = -1;
  /** Offset of the value (`end` when empty). */
  valueStart = 0;
  /** The label was told from the value by a wide gap only, not by a colon. */
  loose = false;
  /** The registry's clock has passed (`>>> Last update of WHOIS database: ... <<<`): terms of use follow. */
  afterClock = false;
  #next = 0;
  /** Where the next marks stand at or behind `start`: each is looked up once for all lines before it. */
  #colon = -1;
  #wideColon = -1;
  #tab = -1;
  #blanks = -1;
  #dots = -1;
  #hashDot = -1;
  #narrow = { labelEnd: 0, valueStart: 0 };

  constructor(text: string) {
    this.text = text;
  }

  /** Moves to the next line that is neither empty nor a remark; false at the end. */
  advance(): boolean {
    const { text } = this;
    this.afterGap = this.#next === 0;
    while (this.#next < text.length) {
      const lineStart = this.#next;
      let end = text.indexOf('\n', lineStart);
      if (end < 0) end = text.length;
      this.#next = end + 1;
      let start = lineStart;
      while (start < end && isBlank(text.charCodeAt(start))) start++;
      const indent = start - lineStart;
      if (start < end && !isAsciiLetter(text.charCodeAt(start))) {
        if (!isRemark(text, start)) start = afterEnumerator(text, afterBullet(text, start, end), end);
        if (start < end && isRule(text, start, end)) continue;
        if (start < end && isRemark(text, start)) {
          this.afterClock ||= text.startsWith('>>>', start);
          start = end;
        }
      }
      if (start === end) {
        this.afterGap = true;
        continue;
      }
      while (isBlank(text.charCodeAt(end - 1))) end--;
      this.start = start;
      this.end = end;
      this.indent = indent;
      this.#findLabel();
      return true;
    }
    return false;
  }

  /** The value behind the label; the whole line where there is no label. */
  value(): string {
    return this.text.slice(this.valueStart, this.end);
  }

  /** Whether a value stands behind the label; a YAML type such as `!Registrar` is none. */
  hasValue(): boolean {
    return this.valueStart < this.end && this.text.charCodeAt(this.valueStart) !== 33;
  }

  /**
   * Moves a loose label's end to the next wide gap (`Domain  name    example.md`); false where there is none
   * in reach.
   */
  widenLabel(): boolean {
    const { text, valueStart, end } = this;
    const gap = text.indexOf('  ', valueStart);
    if (gap < 0 || gap >= end || gap - this.labelStart > LONGEST_LOOSE_LABEL) return false;
    this.#narrow = { labelEnd: this.labelEnd, valueStart };
    this.#setLabel(this.labelStart, gap, gap);
    return true;
  }

  /** Takes the last `widenLabel` back. */
  narrowLabel(): void {
    Object.assign(this, this.#narrow);
  }

  #findLabel(): void {
    const { start, end } = this;
    this.labelEnd = -1;
    this.labelStart = start;
    this.valueStart = start;
    this.loose = false;
    if (this.#takeBracket()) return;
    const colon = this.#nextColon();
    if (colon < end && colon - start <= LONGEST_LABEL) {
      if (!this.#isTimeOrUrl(colon)) this.#setLabel(start, colon, colon + 1);
      return;
    }
    const gap = this.#gap();
    if (gap <= start) return;
    this.loose = true;
    this.#setLabel(start, gap, gap);
  }

  /** The nearest colon at or behind the line's start; far away where there is none. */
  #nextColon(): number {
    const { start } = this;
    if (this.#colon < start) this.#colon = this.#find(':');
    if (this.#wideColon < start) this.#wideColon = this.#find(FULL_WIDTH_COLON);
    return Math.min(this.#colon, this.#wideColon);
  }

  #find(mark: string): number {
    const at = this.text.indexOf(mark, this.start);
    return at < 0 ? NOWHERE : at;
  }

  /** Takes a label such as `[Domain Name]`, at the line's start or behind an enumerator (`a. `, `b `). */
  #takeBracket(): boolean {
    const { text, start, end } = this;
    let open = start;
    if (text.charCodeAt(start) !== 91) {
      const next = text.charCodeAt(start + 1);
      if (next !== DOT && next !== SPACE) return false;
      open = next === DOT ? start + 3 : start + 2;
      if (text.charCodeAt(open) !== 91 || open >= end) return false;
    }
    const limit = Math.min(end, open + LONGEST_LABEL);
    for (let at = open + 1; at < limit; at++) {
      if (text.charCodeAt(at) !== 93) continue;
      this.#setLabel(open + 1, at, at + 1);
      return true;
    }
    return false;
  }

  /** `10:30` and `http://` hold colons that end no label. */
  #isTimeOrUrl(colon: number): boolean {
    const { text } = this;
    const next = text.charCodeAt(colon + 1);
    if (next === 47 && text.charCodeAt(colon + 2) === 47) return true;
    return isDigit(next) && colon > this.start && isDigit(text.charCodeAt(colon - 1));
  }

  /** Offset of a tab, two blanks or leader dots, where a label without a colon may end; -1 where none is. */
  #gap(): number {
    const { text, start } = this;
    if (this.#tab < start) this.#tab = this.#find('\t');
    if (this.#blanks < start) this.#blanks = this.#find('  ');
    if (this.#dots < start) this.#dots = this.#find('..');
    if (this.#hashDot < start) this.#hashDot = this.#find('#.');
    const gap = Math.min(this.#tab, this.#blanks, this.#dots, this.#hashDot);
    if (gap >= this.end || gap - start > LONGEST_LOOSE_LABEL) return -1;
    // A full stop or comma before a wide gap ends a sentence, not a label.
    const before = text.charCodeAt(gap - 1);
    return before === DOT || before === COMMA ? -1 : gap;
  }

  /** Blanks, colons and leader dots between a label and its value; one dot alone may open a host name. */
  #isBeforeValue(at: number): boolean {
    const code = this.text.charCodeAt(at);
    if (isBlank(code) || code === COLON || (this.loose && code === HASH)) return true;
    if (code !== DOT) return false;
    return this.loose || this.text.charCodeAt(at + 1) === DOT || this.text.charCodeAt(at - 1) === DOT;
  }

  #setLabel(start: number, end: number, behind: number): void {
    const { text } = this;
    let labelEnd = end;
    while (
      labelEnd > start &&
      (isBlank(text.charCodeAt(labelEnd - 1)) || text.charCodeAt(labelEnd - 1) === DOT)
    ) {
      labelEnd--;
    }
    let valueStart = behind;
    while (text.charCodeAt(valueStart) === SPACE) valueStart++;
    while (valueStart < this.end && this.#isBeforeValue(valueStart)) valueStart++;
    this.labelStart = start;
    this.labelEnd = labelEnd;
    this.valueStart = valueStart;
  }
}
