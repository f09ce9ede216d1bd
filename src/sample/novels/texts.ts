import type { Random } from './random.ts';
import {
  ENDINGS,
  FLAG_KEYWORDS,
  KEYWORDS,
  MIDDLES,
  NOTES,
  OPENINGS,
  SLOTS,
  TITLES,
  TITLE_ENDINGS,
} from './word-lists.ts';

/** Where a novel is set, which its texts follow. */
export type Setting = keyof typeof TITLES;

/** Puts a word for every `{slot}` of a form. */
function fill(form: string, random: Random): string {
  return form.replace(/\{(\w+)\}/g, (_, slot: string) => {
    const list = SLOTS[slot];
    if (list === undefined) throw new Error(`No word list stands for {${slot}}.`);
    return random.pick(list);
  });
}

/** At most 100 characters. */
export function makeTitle(setting: Setting, random: Random): string {
  const title = fill(random.pick(TITLES[setting]), random);
  return random.chance(0.05) ? `${title} ${fill(random.pick(TITLE_ENDINGS), random)}` : title;
}

/** A synopsis: a few sentences in paragraphs, sometimes with a note of the author under it. */
export function makeStory(setting: Setting, random: Random): string {
  const indent = random.chance(0.4) ? '　' : '';
  const gap = random.pick(['', `\n${indent}`, `\n\n${indent}`]);
  const openings = OPENINGS[setting === 'quiet' ? 'here' : setting];
  const first = random.int(0, MIDDLES.length - 1);
  // Steps of 3 through 10 sentences never meet the same one twice.
  const middles = Array.from({ length: random.int(1, 4) }, (_, place) =>
    fill(MIDDLES[(first + 3 * place) % MIDDLES.length] ?? '', random),
  );
  const sentences = [fill(random.pick(openings), random), ...middles].join(gap);
  const note = random.chance(0.35) ? `\n\n${fill(random.pick(NOTES), random)}` : '';
  // Joined, not added: the engine would keep every step of a string that is added up.
  return [indent, sentences, '\n', indent, fill(random.pick(ENDINGS), random), note].join('');
}

export type Flags = Readonly<Record<keyof typeof FLAG_KEYWORDS, 0 | 1>>;

/** Keywords separated by blanks: first those that the flags bring along, then some of the setting's, none twice. */
export function makeKeyword(setting: Setting, flags: Flags, random: Random): string {
  const names = Object.keys(FLAG_KEYWORDS) as (keyof Flags)[];
  const chosen = new Set<string>(
    names.filter((name) => flags[name] === 1).map((name) => FLAG_KEYWORDS[name]),
  );
  for (let more = random.int(2, 8); more > 0; more -= 1) chosen.add(random.pick(KEYWORDS[setting]));
  return [...chosen].join(' ');
}
