import type { RegistrationState } from '../../look-up/registration-record.ts';
import { isAboutMachinery, isEarnedNo, nameInSentence, namesAnother } from './not-registered.ts';
import { SUBJECT } from './denial-words.ts';
import { CONDITIONAL, STATE_SENTENCES } from './state-phrases.ts';
import { GENERAL_LABELS } from './vocabulary.ts';

const LONGEST_SCAN = 32_768;
const LONGEST_LINE = 260;
/** In an answer as short as this no terms of use stand: all of it may take a "no" back. */
export const LONGEST_SHORT = 400;
/** A paragraph of more long lines than this is prose: terms of use, not the answer. */
const MOST_LONG_LINES = 3;
const LONG_LINE = 45;
/** Letters, digits, and everything beyond ASCII: a line without them is drawn, and parts paragraphs. */
const WORD_CHAR = /[a-z\d\x80-\uffff]/;
/** The registry's clock parts paragraphs too: `>>> Last update of WHOIS database: ... <<<`. */
const CLOCK = /^>>> ?(?:last|whois|.whois)/;

/** What an answer says of its name. */
export interface Statement {
  state: RegistrationState;
  /** The name that is spoken of. */
  name: string | null;
  /** Seconds that a throttling answer asks to wait. */
  waitSeconds: number | null;
}

/** A line of an answer, in lower case. */
interface Sentence {
  text: string;
  /** Only its first words count: it opens a paragraph of prose, or has no end. */
  isOpening: boolean;
}

type Paragraph = readonly Sentence[];

/** What the sentences of an answer without a record state; null where none says anything. */
export function readStatement(text: string, asked: string | null): Statement | null {
  const paragraphs = readParagraphs(text.length <= LONGEST_SCAN ? text : headAndTail(text));
  const all = paragraphs.flatMap((paragraph) => paragraph.map(({ text }) => text)).join('\n');
  return findSentence(paragraphs, all, asked) ?? findNo(paragraphs, all, asked);
}

/** The parts of an overlong text that can hold the answer. */
function headAndTail(text: string): string {
  return `${text.slice(0, LONGEST_SCAN / 2)}\n${text.slice(-LONGEST_SCAN / 2)}`;
}

/**
 * The lines that may state something, paragraph by paragraph. Those with many long lines are terms of use, in
 * which limits, blocks and availability are talked about: only their opening counts, because `Not available for
 * registration.` may stand above an explanation. An endless line counts where the answer opens with it.
 */
function readParagraphs(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let lines: string[] = [];
  const end = (): void => {
    paragraphs.push(...partProse(lines));
    lines = [];
  };
  let marker = '';
  for (const raw of text.toLowerCase().split('\n')) {
    const line = raw.trim();
    const ownMarker = markerOf(line);
    if (ownMarker !== marker) end();
    marker = ownMarker;
    if (CLOCK.test(line) || line.slice(0, 12).search(WORD_CHAR) < 0) end();
    else if (line.length <= LONGEST_LINE) lines.push(line);
    else {
      const isFirst = paragraphs.length === 0 && lines.length === 0;
      end();
      if (isFirst) paragraphs.push([{ text: line.slice(0, LONGEST_LINE), isOpening: false }]);
    }
  }
  end();
  return paragraphs;
}

/** What a line of a banner is marked by: an answer right below is a paragraph of its own. */
function markerOf(line: string): string {
  const first = line.charAt(0);
  return first === '%' || first === '#' || (first === '[' && line.endsWith(']')) ? first : '';
}

/**
 * A paragraph as it counts. Of prose the first line, where it is short, and the last, where it is short and the
 * prose before it is over, are sentences of their own: JPRS answers right under its banner since 2026.
 */
function partProse(lines: readonly string[]): Paragraph[] {
  const isProse = lines.filter((line) => line.length >= LONG_LINE).length > MOST_LONG_LINES;
  if (!isProse) return lines.length === 0 ? [] : [lines.map((text) => ({ text, isOpening: false }))];
  const parted: Paragraph[] = [];
  const [first = ''] = lines;
  parted.push([{ text: first, isOpening: first.length >= LONG_LINE }]);
  const [before = '', last = ''] = lines.slice(-2);
  const isOver = /[.!\]*]$/.test(before) || (/^\W/.test(before) && /^\w/.test(last));
  if (last.length < LONG_LINE && isOver) parted.push([{ text: last, isOpening: false }]);
  return parted;
}

/**
 * The statement that decides first, of all but the "no". What is nowhere in `all`, the sentences in one text, need not
 * be looked for in each.
 */
function findSentence(paragraphs: readonly Paragraph[], all: string, asked: string | null): Statement | null {
  // Something is held back or invalid, and nobody says what: a "no" beside it is not believed.
  let isInDoubt = false;
  for (const [state, pattern] of STATE_SENTENCES) {
    if (!pattern.test(all)) continue;
    for (const paragraph of paragraphs) {
      for (const [at, sentence] of paragraph.entries()) {
        if (!states(sentence, pattern)) continue;
        if (state === 'reserved' && reservesAnother(sentence.text, asked)) continue;
        // Terms of use may open with `Access is limited`.
        if (state === 'throttled' && sentence.isOpening) continue;
        if (state === 'reserved' && !isOfAName(sentence.text)) {
          isInDoubt ||= !MANY_NAMES.test(sentence.text);
          continue;
        }
        if (state === 'invalid' && !isOfTheQuestion(sentence.text, paragraph[at - 1]?.text, asked)) {
          isInDoubt = true;
          continue;
        }
        const rest = paragraph.slice(at, at + 4).map(({ text }) => text);
        return { state, name: null, waitSeconds: waitIn(rest.join(' ')) };
      }
    }
  }
  return isInDoubt ? { state: 'broken', name: null, waitSeconds: null } : null;
}

/** Whether a sentence says so of this query, and not in a condition. */
function states({ text, isOpening }: Sentence, pattern: RegExp): boolean {
  const at = text.search(pattern);
  if (at < 0 || (isOpening && at > text.search(WORD_CHAR))) return false;
  return !CONDITIONAL.test(text.slice(0, at));
}

/** Rights, copies and requests are reserved too, and `Reserved: no` says that the name is not. */
const RESERVES_NO_NAME =
  /(?<!\p{L})(?:rights?|copyright\p{L}*|your request)(?!\p{L})|: {0,8}(?:no|false|none|0)\W*$|\?$/u;
/** `Reserved names are listed at ...` speaks of names in general. */
const MANY_NAMES = /(?<!\p{L})(?:names|domains)(?!\p{L})/u;
const ONE_NAME =
  /(?<!\p{L})(?:name|domain|object|string|registration)(?!\p{L})|^\W*reserved(?: by|:)|^\W*[a-z]+\W*$|ドメイン/u;

/** Whether what is reserved is the name: `Use is forbidden` reserves nothing. */
function isOfAName(sentence: string): boolean {
  return ONE_NAME.test(sentence) || nameInSentence(sentence) !== null;
}

function reservesAnother(sentence: string, asked: string | null): boolean {
  return RESERVES_NO_NAME.test(sentence) || isAboutMachinery(sentence) || namesAnother(sentence, asked);
}

/** What a registry is asked, or its rules are about. */
const OF_A_QUESTION =
  /(?<!\p{L})(?:names?|quer(?:y|ies)|requests?|inputs?|parameters?|patterns?|strings?|char(?:acter)?s?|labels?|syntax(?= error\W*$)|idns?|ace|punycode|cadena|anfrage|eingabe|zeichen)(?!\p{L})|whois help/u;
/** Where a name is not valid is no machinery, nor what is searched for, nor .ua's word for a bad name (2019). */
const NO_MACHINERY =
  /(?<!\p{L})(?:for|in|under|below|by|on) (?:the|this|our) (?:\.?[\p{L}\d-]+ )?(?:tld|zone|extension|suffix|top[ -]level domain|server|service)(?!\p{L})|(?<!\p{L})search (?=pattern|string|term|key|quer|request)|(?<=unimplemented object) service/gu;
/** What a web server or a program says of a question of its own. */
const OF_ANOTHER_QUESTION = /^\W*(?:error\W*)?4\d\d\W|(?:parameter|argument)s?\W+[a-z]+_/;
/** `The domain free.vu\n is not valid!` */
const CONTINUES = /^\W*(?:is|are) (?:not valid|invalid)/;

/** Whether what is invalid is the name asked for, or the question: sessions and certificates are so too. */
function isOfTheQuestion(sentence: string, before: string | undefined, asked: string | null): boolean {
  const said = (CONTINUES.test(sentence) ? `${before ?? ''} ${sentence}` : sentence).replace(
    NO_MACHINERY,
    '',
  );
  if (isAboutMachinery(said) || OF_ANOTHER_QUESTION.test(said) || namesAnother(said, asked)) return false;
  return OF_A_QUESTION.test(said) || SUBJECT.test(said) || nameInSentence(said) !== null;
}

/**
 * What a sentence in lower case says of `asked`, where all that is said is about it: that the registry holds it back, or
 * nothing that settles it, as in a condition or of something else; null where it does not speak of holding back.
 */
export function readHeldBack(sentence: string, asked: string): 'reserved' | 'broken' | null {
  const said = STATE_SENTENCES.filter(([state, pattern]) => state === 'reserved' && pattern.test(sentence));
  if (said.length === 0) return null;
  const isSaid = said.some(([, pattern]) => states({ text: sentence, isOpening: false }, pattern));
  return isSaid && !reservesAnother(sentence, asked) ? 'reserved' : 'broken';
}

function findNo(paragraphs: readonly Paragraph[], all: string, asked: string | null): Statement | null {
  const whole = all.length <= LONGEST_SHORT ? all.split('\n') : null;
  const names = paragraphs.flatMap((paragraph) => {
    const texts = whole ?? paragraph.map(({ text }) => text);
    return paragraph.flatMap(({ text, isOpening }, at) => {
      if (isOpening || !isEarnedNo(text, { asked, paragraph: texts })) return [];
      const name = nameInSentence(text);
      return name === null && isEmptyField(paragraph[at - 1]?.text) ? [] : [name];
    });
  });
  if (names.length === 0) return null;
  return { state: 'not_registered', name: names.find((name) => name !== null) ?? null, waitSeconds: null };
}

/** A line that says what comes below it. */
const OF_AN_ANSWER = /result|answer|response|reply|search|quer(?:y|ies)|look-?up|whois|domain/;

/** `Name servers:`, whose value is the line below: what is not found there is a name server. */
function isEmptyField(line = ''): boolean {
  if (!/[:：]$/.test(line)) return false;
  const meaning = GENERAL_LABELS.get(line);
  if (meaning === undefined) return !OF_AN_ANSWER.test(line);
  return meaning.field !== 'domain' && meaning.field !== 'status';
}

/** Seconds that a throttling answer asks to wait; null where it names none. */
function waitIn(words: string): number | null {
  const match = /(\d{1,6})(\.\d{1,6})?[\s-]*(second|sec|minute|min|hour)/.exec(words);
  if (match === null) return null;
  const unit = match[3]?.startsWith('h') === true ? 3600 : match[3]?.startsWith('m') === true ? 60 : 1;
  return Math.ceil((Number(match[1]) + Number(match[2] ?? 0)) * unit);
}
