import { ALLOWED, FAULTS } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';
import { NOVEL_ALLOWED, NOVEL_FAULTS } from '@mokuroku/narou';
import { NAME_FAULTS } from 'mokuroku-whois/record';
import { NAMES_ALLOWED, NAMES_FAULTS } from '../registration/errors.ts';

// The service sends faults in English: their Japanese is that of the row whose English has the same form.

/** A text, or one by its values. */
type Row = Text | ((...values: never[]) => Text);
type Translate = (english: string) => string | undefined;

const MARK = /\ue000(\d)\ue001/g;

function translatorOf(row: Row): Translate {
  if (typeof row !== 'function') return (english) => (english === row.en ? row.ja : undefined);
  const write = row as unknown as (...values: string[]) => Text;
  const indexes: number[] = [];
  const { en } = write(...Array.from({ length: row.length }, (_, index) => `\ue000${index}\ue001`));
  const source = en.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&').replace(MARK, (_, index) => {
    indexes.push(Number(index));
    return '(.+)';
  });
  const pattern = new RegExp(`^${source}$`, 's');
  return (english) => {
    const [, ...found] = pattern.exec(english) ?? [];
    if (found.length === 0) return undefined;
    // A value may be such a text itself.
    return write(...indexes.map((_, at) => inJapanese(found[indexes.indexOf(at)] ?? ''))).ja;
  };
}

const translators = (rows: Readonly<Record<string, Row>>) => Object.values(rows).map(translatorOf);
const OF_FAULTS = translators({ ...FAULTS, ...NOVEL_FAULTS, ...NAMES_FAULTS, ...NAME_FAULTS });
const OF_ALLOWED = translators({ ...ALLOWED, ...NOVEL_ALLOWED, ...NAMES_ALLOWED });

function translate(translations: readonly Translate[], english: string): string | undefined {
  for (const inOtherWords of translations) {
    const japanese = inOtherWords(english);
    if (japanese !== undefined) return japanese;
  }
  return undefined;
}

const inJapanese = (english: string): string => translate(OF_ALLOWED, english) ?? english;

/** The fault. */
export const reasonInJapanese = (reason: string): string =>
  translate(OF_FAULTS, reason) ?? FAULTS.notUsable.ja;

/** The remedy; in the service's own words if there is no translation. */
export const allowedInJapanese = inJapanese;
