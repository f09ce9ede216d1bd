import { compileForms, fillForm, type Form } from './fill-form.ts';
import type { Random } from './random.ts';
import { ADULT_KEYWORDS, FLAG_KEYWORDS, KEYWORDS } from './words/keywords.ts';
import {
  ADULT_ENDINGS,
  ADULT_MIDDLES,
  ADULT_OPENINGS,
  ENDINGS,
  MIDDLES,
  NOTES,
  OPENINGS_ELSEWHERE,
  OPENINGS_HERE,
} from './words/synopses.ts';
import { ADULT_TITLE_FORMS, TITLE_ENDINGS, TITLE_FORMS } from './words/titles.ts';

const titles: Readonly<Record<number, readonly Form[]>> = Object.fromEntries(
  Object.entries(TITLE_FORMS).map(([genre, forms]) => [genre, compileForms(forms)]),
);
const adultTitles = compileForms(ADULT_TITLE_FORMS);
const titleEndings = compileForms(TITLE_ENDINGS);

interface Sentences {
  readonly openings: readonly Form[];
  readonly middles: readonly Form[];
  readonly endings: readonly Form[];
}

const sentences = (openings: readonly string[], middles = MIDDLES, endings = ENDINGS): Sentences => ({
  openings: compileForms(openings),
  middles: compileForms(middles),
  endings: compileForms(endings),
});

const elsewhere = sentences(OPENINGS_ELSEWHERE);
const here = sentences(OPENINGS_HERE);
const adult = sentences(ADULT_OPENINGS, ADULT_MIDDLES, ADULT_ENDINGS);
const notes = compileForms(NOTES);

const ELSEWHERE_GENRES = new Set([101, 201, 303, 306, 401, 402, 403, 9901, 9904]);
const ENDING_SHARE = 0.04;

// Pieces are joined once: adding strings up would keep every step of it in memory.

/** A title for a genre code (`'adult'` for adult entries), at most 100 characters. */
export function makeTitle(genre: number | 'adult', random: Random): string {
  const forms = genre === 'adult' ? adultTitles : (titles[genre] ?? adultTitles);
  const pieces: string[] = [];
  fillForm(random.pick(forms), random, pieces);
  if (random.chance(ENDING_SHARE)) {
    pieces.push(' ');
    fillForm(random.pick(titleEndings), random, pieces);
  }
  return pieces.join('');
}

/** A synopsis: a few sentences in paragraphs, sometimes with a note of the author under it. */
export function makeStory(genre: number | 'adult', random: Random): string {
  const choice = genre === 'adult' ? adult : ELSEWHERE_GENRES.has(genre) ? elsewhere : here;
  const { openings, middles, endings } = choice;
  const indent = random.chance(0.4) ? '　' : '';
  const gap = random.pick(['', '\n', '\n\n']);
  const pieces = [indent];
  fillForm(random.pick(openings), random, pieces);
  const first = random.int(0, middles.length - 1);
  for (let sentence = random.int(1, 4); sentence > 0; sentence -= 1) {
    pieces.push(gap, gap === '' ? '' : indent);
    // Four steps of 5 through 12 or 6 sentences never meet the same one twice.
    fillForm(middles[(first + sentence * 5) % middles.length] as Form, random, pieces);
  }
  pieces.push('\n', indent);
  fillForm(random.pick(endings), random, pieces);
  if (random.chance(0.35)) {
    pieces.push('\n\n');
    fillForm(random.pick(notes), random, pieces);
  }
  return pieces.join('');
}

const FLAGS = Object.keys(FLAG_KEYWORDS) as (keyof typeof FLAG_KEYWORDS)[];

export type Flags = Readonly<Record<keyof typeof FLAG_KEYWORDS, 0 | 1>>;

/** Keywords separated by blanks: first those that the flags bring along, then some of the genre's, none twice. */
export function makeKeyword(biggenre: number | 'adult', flags: Flags, random: Random): string {
  const list = biggenre === 'adult' ? ADULT_KEYWORDS : (KEYWORDS[biggenre] ?? ADULT_KEYWORDS);
  const chosen: string[] = FLAGS.filter((flag) => flags[flag] === 1).map((flag) => FLAG_KEYWORDS[flag]);
  for (let more = random.int(2, 8); more > 0; more -= 1) {
    const word = random.pick(list);
    if (!chosen.includes(word)) chosen.push(word);
  }
  return chosen.join(' ');
}
