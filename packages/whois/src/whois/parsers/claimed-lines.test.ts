import { expect, test } from 'vitest';
import { fixtureOf, fixturePaths, statedReading, textOf } from '../../../test/whois-fixtures.ts';
import { TextLines, labelOf } from './lines.ts';
import { isNoneListed } from './placeholder.ts';
import { parseWhoisText } from './parse-whois-text.ts';
import { plainTextOf } from './plain-text.ts';
import { RecordReader } from './read-records.ts';
import { GENERAL_LABELS } from './vocabulary.ts';

/** Words by which registries state something about names, and registrants whose names have them. */
const WORDS = [
  'Offline',
  'Reserved',
  'Unknown',
  'Bad',
  'Throttled Ltd',
  'Available',
  'Free',
  'Not found',
  'No match',
  'Suspended',
  'Reserved Seats Ltd',
  'Offline d.o.o.',
  'Bad Salzuflen',
  'This domain name is reserved',
  'Too many requests',
  'Connection limit exceeded',
];

type Hints = Parameters<typeof parseWhoisText>[1];

/** The text with another value on each line that states a field, and without the line. */
function* changedValues(text: string, domain: string | null) {
  const lines = new TextLines(text);
  new RecordReader(domain).read(lines);
  for (const { start, claim } of lines.all) {
    if (claim !== 'field') continue;
    const end = text.indexOf('\n', start);
    const [before, line, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
    const { label, value } = labelOf(line.trim());
    const stated = label === null ? line.trim() : value;
    // Other words in its place would be a status, which is classified.
    if (isNoneListed(stated)) continue;
    const isHeading = GENERAL_LABELS.getExact(stated) !== undefined || stated.startsWith('--');
    if (end < 0 || stated === '' || isHeading || line.toLowerCase().includes(domain ?? '\n')) continue;
    const at = line.lastIndexOf(stated);
    const withWord = (word: string) =>
      before + line.slice(0, at) + word + line.slice(at + stated.length) + after;
    yield { line, withWord, without: before + after.slice(1) };
  }
}

const fieldsOf = (text: string, hints: Hints) => {
  const { state, parsed = {}, ...others } = statedReading(parseWhoisText(text, hints));
  return { state, ...others, ...(parsed as object) } as Record<string, unknown>;
};

const differences = (one: Record<string, unknown>, other: Record<string, unknown>) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]),
  );

/** One line states two fields, a date shows the order of another, the last field ends its record, or a word is a heading. */
const DEPENDENT = [
  'generic/two-labels-on-a-line',
  'generic/day-inferred-from-another-date',
  'joined/record-after-the-database-time',
  'twnic/dates-without-colon',
];
const records = fixturePaths().filter((path) => fixtureOf(path).expected.state === 'registered');

test.each(records)('any words as a value change that field and nothing else: %s', (path) => {
  const { server, domain } = fixtureOf(path);
  const hints = { server, domain };
  const text = plainTextOf(textOf(path).replaceAll('\r\n', '\n'));
  const original = fieldsOf(text, hints);
  const most = DEPENDENT.includes(path) ? 3 : 1;
  for (const { line, withWord, without } of changedValues(text, domain)) {
    // Words that are no value may take the only fact of a record.
    const states = [original['state'], fieldsOf(without, hints)['state']];
    for (const word of WORDS) {
      const changed = fieldsOf(withWord(word), hints);
      expect([line, word, states]).toEqual([line, word, expect.arrayContaining([changed['state']])]);
      if (changed['state'] !== original['state']) continue;
      const different = differences(original, changed);
      expect([line, word, different]).toEqual([line, word, different.slice(0, most)]);
    }
  }
});
