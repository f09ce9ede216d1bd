import type { Random } from './random.ts';
import { ENDINGS, FLAGS, KEYWORDS, MIDDLES, OPENINGS, SLOTS, TITLES } from './word-lists.ts';

/** The setting of a novel, which determines its texts. */
export type Setting = keyof typeof TITLES;

/** Replaces every `{slot}` of a form with a word. */
const fillTemplate = (form: string, random: Random): string =>
  form.replace(/\{(\w+)\}/g, (_, slot: keyof typeof SLOTS) => random.pick(SLOTS[slot]));

/** At most 100 characters. */
export const makeTitle = (setting: Setting, random: Random): string =>
  fillTemplate(random.pick(TITLES[setting]), random);

/** A synopsis: a few sentences, in paragraphs or not. */
export function makeStory(setting: Setting, random: Random): string {
  const first = random.int(0, MIDDLES.length - 1);
  const middles = Array.from(
    { length: random.int(1, 4) },
    (_, index) => MIDDLES[(first + index) % MIDDLES.length],
  );
  return [random.pick(OPENINGS[setting]), ...middles, random.pick(ENDINGS)]
    .map((form = '') => fillTemplate(form, random))
    .join(random.pick(['', '\n', '\n\n　']));
}

type Flags = Partial<Record<keyof typeof FLAGS, 0 | 1>>;
const FLAG_NAMES = Object.keys(FLAGS) as (keyof Flags)[];

/** Adult entries have no flag for readers of 15 and over. */
export const makeFlags = (adult: boolean, random: Random): Flags => {
  const flags = FLAG_NAMES.map((name) => [name, random.chance(FLAGS[name].share) ? 1 : 0] as const);
  return Object.fromEntries(flags.filter(([name]) => !adult || name !== 'isr15'));
};

/** Keywords separated by spaces: first those of the flags, then some of the setting's, without duplicates. */
export function makeKeyword(setting: Setting, flags: Flags, random: Random): string {
  const set = FLAG_NAMES.filter((name) => flags[name] === 1).map((name) => FLAGS[name].keyword);
  const chosen = Array.from({ length: random.int(2, 8) }, () => random.pick(KEYWORDS[setting]));
  return [...new Set([...set, ...chosen])].join(' ');
}
