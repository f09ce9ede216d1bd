import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/catalogue/harvest-under-test.ts';
import { openJournal } from './journal.ts';

const folders = temporaryFolders();
afterAll(folders.remove);

const fileWith = (entries: readonly unknown[]): string => {
  const file = path.join(folders.next(), 'journal');
  const journal = openJournal(file);
  for (const entry of entries) journal.append(entry);
  journal.close();
  return file;
};

const entriesOf = (file: string): unknown[] => {
  const journal = openJournal(file);
  const entries = [...journal.entries()];
  journal.close();
  return entries;
};

it('a journal that was cut anywhere has every entry before the cut, and takes more', () => {
  const entries = [{ place: 1 }, { place: 2, text: '灯台' }, { place: 3 }];
  const whole = fs.readFileSync(fileWith(entries));
  const ends = [0, ...entries.map((_, place) => fs.statSync(fileWith(entries.slice(0, place + 1))).size)];
  for (let cut = 0; cut <= whole.length; cut++) {
    const file = path.join(folders.next(), 'journal');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, whole.subarray(0, cut));
    const left = entries.filter((_, place) => (ends[place + 1] ?? Infinity) <= cut);
    expect(entriesOf(file)).toEqual(left);
    const journal = openJournal(file);
    journal.append({ place: 4 });
    expect([...journal.entries()]).toEqual([...left, { place: 4 }]);
    journal.close();
  }
});

it('a journal begins anew with one entry in the place of all', () => {
  const file = fileWith([{ place: 1 }, { place: 2 }]);
  const journal = openJournal(file);
  journal.restart({ place: 3 });
  journal.append({ place: 4 });
  journal.close();
  expect(entriesOf(file)).toEqual([{ place: 3 }, { place: 4 }]);
});
