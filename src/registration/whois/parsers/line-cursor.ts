const LONGEST_LABEL = 72;
const SPACE = 32;
const TAB = 9;
const COLON = 58;
const DOT = 46;
const HYPHEN = 45;
const ASTERISK = 42;

/** Blank within a line: space, tab, CR, NUL (seen in the wild), no-break and ideographic space. */
function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === 13 || code === 0 || code === 0xa0 || code === 0x3000;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Offset behind an enumerator such as `1a.`, `2)` or `12. `; the same offset where there is none. */
function afterEnumerator(text: string, start: number, end: number): number {
  if (!isDigit(text.charCodeAt(start))) return start;
  let at = start + 1;
  if (isDigit(text.charCodeAt(at))) at++;
  if (isSmallLetter(text.charCodeAt(at))) at++;
  const mark = text.charCodeAt(at);
  if ((mark !== DOT && mark !== 41) || !isBlank(text.charCodeAt(at + 1))) return start;
  at++;
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return at;
}

function isSmallLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** `%`, `#`, `>`, `;` and `//` open remarks in WHOIS texts; `*` only decorates. */
function isRemark(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 37 || code === 35 || code === 62 || code === 59) return true;
  return code === 47 && text.charCodeAt(at + 1) === 47;
}

/** Offset behind asterisks, or behind a hyphen with a blank: lists and boxes are drawn with them. */
function afterBullet(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) === ASTERISK) at++;
  if (at === start && text.charCodeAt(at) === HYPHEN && isBlank(text.charCodeAt(at + 1))) at++;
  if (at === start) return start;
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** A drawn line such as `-----` or `=====` under a heading: no content and no gap. */
function isRule(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(start);
  if (code !== HYPHEN && code !== 61 && code !== 95 && code !== 43) return false;
  for (let at = start + 1; at < end; at++) {
    const next = text.charCodeAt(at);
    if (next !== code && !isBlank(next)) return false;
  }
  return end - start > 1;
}

/**
 * Walks over a text line by line without cutting it up: a line is a pair of offsets, and its label a hash,
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
  /** Offset behind the label's last character; -1 where the line has no label. */
  labelEnd = -1;
  labelStart = 0;
  /** Offset of the value (`end` when empty). */
  valueStart = 0;
  /** The label stood in square brackets, as in `[Domain Name]  EXAMPLE.JP`. */
  bracketed = false;
  /** The label was told from the value by a wide gap only, not by a colon. */
  loose = false;
  #next = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Moves to the next line that is neither empty nor a remark; false at the end. */
  advance(): boolean {
    const { text } = this;
    this.afterGap = this.#next === 0;
    while (this.#next < text.length) {
      const lineStart = this.#next;
      let lineEnd = text.indexOf('\n', lineStart);
      if (lineEnd < 0) lineEnd = text.length;
      this.#next = lineEnd + 1;
      let start = lineStart;
      while (start < lineEnd && isBlank(text.charCodeAt(start))) start++;
      const indent = start - lineStart;
      start = afterEnumerator(text, afterBullet(text, start, lineEnd), lineEnd);
      if (start === lineEnd || isRemark(text, start)) {
        this.afterGap = true;
        continue;
      }
      if (isRule(text, start, lineEnd)) continue;
      let end = lineEnd;
      while (isBlank(text.charCodeAt(end - 1))) end--;
      this.start = start;
      this.end = end;
      this.indent = indent;
      this.#findLabel();
      return true;
    }
    return false;
  }

  /** The trimmed line. */
  line(): string {
    return this.text.slice(this.start, this.end);
  }

  /** The value behind the label; the whole line where there is no label. */
  value(): string {
    return this.text.slice(this.valueStart, this.end);
  }

  /** Whether a value stands behind the label; a YAML type such as `!Registrar` is none. */
  hasValue(): boolean {
    return this.valueStart < this.end && this.text.charCodeAt(this.valueStart) !== 33;
  }

  #findLabel(): void {
    const { text, start, end } = this;
    this.labelEnd = -1;
    this.labelStart = start;
    this.valueStart = start;
    this.bracketed = false;
    this.loose = false;
    const bracket = this.#bracketAt();
    if (bracket >= 0) {
      const close = text.indexOf(']', bracket);
      if (close > 0 && close < end && close - bracket < LONGEST_LABEL) {
        this.bracketed = true;
        this.#setLabel(bracket + 1, close, close + 1);
        return;
      }
    }
    const limit = Math.min(end, start + LONGEST_LABEL);
    let gap = -1;
    for (let at = start; at < limit; at++) {
      const code = text.charCodeAt(at);
      if (code === COLON || code === 0xff1a) {
        if (this.#isTimeOrUrl(at)) break;
        this.#setLabel(start, at, at + 1);
        return;
      }
      if (gap < 0 && this.#isGap(code, at)) gap = at;
    }
    if (gap > start && !isSentenceEnd(text.charCodeAt(gap - 1))) {
      this.loose = true;
      this.#setLabel(start, gap, gap);
    }
  }

  /** Offset of `[` at the line's start or behind an enumerator such as `a. ` or `b `; else -1. */
  #bracketAt(): number {
    const { text, start } = this;
    if (text.charCodeAt(start) === 91) return start;
    if (!isSmallLetter(text.charCodeAt(start))) return -1;
    let at = start + 1;
    if (text.charCodeAt(at) === DOT) at++;
    if (text.charCodeAt(at) !== SPACE) return -1;
    return text.charCodeAt(at + 1) === 91 ? at + 1 : -1;
  }

  /** `10:30` and `http://` hold colons that end no label. */
  #isTimeOrUrl(colon: number): boolean {
    const { text } = this;
    const next = text.charCodeAt(colon + 1);
    if (next === 47 && text.charCodeAt(colon + 2) === 47) return true;
    return isDigit(next) && colon > this.start && isDigit(text.charCodeAt(colon - 1));
  }

  /** A tab, two blanks or leader dots, where a label without a colon may end. */
  #isGap(code: number, at: number): boolean {
    if (code === TAB) return true;
    const next = this.text.charCodeAt(at + 1);
    if (code === SPACE) return next === SPACE || next === TAB;
    return (code === DOT && next === DOT) || (code === 35 && next === DOT);
  }

  #setLabel(start: number, end: number, behind: number): void {
    const { text } = this;
    let labelEnd = end;
    while (labelEnd > start && isFiller(text.charCodeAt(labelEnd - 1))) labelEnd--;
    let valueStart = behind;
    while (valueStart < this.end && isFillerOrColon(text.charCodeAt(valueStart), this.loose)) valueStart++;
    this.labelStart = start;
    this.labelEnd = labelEnd;
    this.valueStart = valueStart;
  }
}

/** A full stop or comma before a wide gap ends a sentence, not a label. */
function isSentenceEnd(code: number): boolean {
  return code === DOT || code === 44;
}

function isFiller(code: number): boolean {
  return isBlank(code) || code === DOT;
}

function isFillerOrColon(code: number, loose: boolean): boolean {
  return isBlank(code) || code === COLON || (loose && (code === DOT || code === 35));
}
