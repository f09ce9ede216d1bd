import { eastAsianWidth } from 'get-east-asian-width';

// Columns of a text in a terminal, by grapheme clusters.

const segmenter = new Intl.Segmenter('ja', { granularity: 'grapheme' });

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
// The literal form of this flag asks for a newer target than Node 20's.
const EMOJI = new RegExp('^\\p{RGI_Emoji}$', 'v');
/** Fast path: one column per character. */
const PLAIN = /^[\x20-\x7e]*$/;

function clusterWidth(cluster: string): number {
  if (ZERO_WIDTH.test(cluster)) return 0;
  if (cluster.length > 1 && EMOJI.test(cluster)) return 2;
  return eastAsianWidth(cluster.codePointAt(0) ?? 0);
}

/** Control and direction characters, which a terminal may interpret, become blanks. */
export function terminalText(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ');
}

/** `terminalText` for several lines: line breaks stay, tabs become blanks. */
export function printableLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => terminalText(line.replaceAll('\t', '    ')))
    .join('\n');
}

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += clusterWidth(segment);
  return width;
}

/** Cuts a text to this many columns; `…` marks the cut. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let fitting = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    const next = clusterWidth(segment);
    if (width + next > columns - 1) break;
    fitting += segment;
    width += next;
  }
  return columns > 0 ? `${fitting}…` : '';
}

export function pad(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, columns - displayWidth(text)));
  return align === 'left' ? text + blanks : blanks + text;
}

/** A text stands beside its label if it has at least this many columns, otherwise below it. */
const MIN_TEXT_WIDTH = 22;
const GAP = 2;

export type Pair = readonly [label: string, text: string];

interface PairLayout {
  columns: number;
  /** Columns of indentation. */
  indent?: number;
  /** A longer label stands on its own line. */
  maxLabelWidth?: number;
  style?: (label: string) => string;
}

/** Labels on the left, wrapped texts on the right. */
export function renderPairs(pairs: readonly Pair[], layout: PairLayout): string {
  const { columns, indent = 0, maxLabelWidth = columns, style = String } = layout;
  const labelWidth =
    Math.min(maxLabelWidth, Math.max(0, ...pairs.map(([label]) => displayWidth(label)))) + GAP;
  const isNarrow = columns - indent - labelWidth < MIN_TEXT_WIDTH;
  const margin = ' '.repeat(isNarrow ? indent + GAP : indent + labelWidth);
  const textColumns = Math.max(10, columns - margin.length);
  const lines = pairs.flatMap(([label, text]) => {
    const isUnder = isNarrow || displayWidth(label) > labelWidth - GAP;
    const head = ' '.repeat(indent) + style(isUnder ? label : pad(label, labelWidth));
    const [first = '', ...rest] = wrap(text, textColumns).map((line) => margin + line);
    return isUnder ? [head, first, ...rest] : [head + first.slice(margin.length), ...rest];
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** Lines of at most this many columns. Breaks at blanks, and anywhere between full-width characters. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    let width = 0;
    // A word, or one character of a script without blanks.
    for (const [piece] of paragraph.matchAll(/[\x21-\x7e]+|[^\x21-\x7e]/gu)) {
      const next = displayWidth(piece);
      if (width > 0 && width + next > columns) {
        lines.push(line.trimEnd());
        line = '';
        width = 0;
        if (piece.trim() === '') continue;
      }
      line += piece;
      width += next;
    }
    lines.push(line.trimEnd());
  }
  return lines;
}
