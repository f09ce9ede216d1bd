import fs from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { openFiles } from '../../../../test/open-files.ts';
import { openJournal, readEntries } from './journal.ts';

const isEntry = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Opens a journal; returns its content and the number of discarded bytes, if it reports any. */
function open(file: string) {
  const entries: unknown[] = [];
  let cut: number | undefined;
  const onEntry = (entry: object) => entries.push(entry);
  const journal = openJournal(file, isEntry, onEntry, (bytes) => (cut = bytes));
  return { journal, entries, cut };
}

const fileWith = (entries: readonly object[]): string => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'journal');
  const { journal } = open(file);
  for (const entry of entries) journal.append(entry);
  journal.close();
  return file;
};

const entriesOf = (file: string): unknown[] => {
  const { journal, entries } = open(file);
  journal.close();
  return entries;
};

const copyOf = (bytes: Buffer): string => {
  const file = path.join(temporaryFolder(), 'journal');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, bytes);
  return file;
};

it('a journal that was truncated anywhere has every entry before the cut, and accepts more', () => {
  const entries = [{ place: 1 }, { place: 2, text: '灯台' }, { place: 3 }];
  const whole = fs.readFileSync(fileWith(entries));
  const ends = [0, ...entries.map((_, place) => fs.statSync(fileWith(entries.slice(0, place + 1))).size)];
  for (let cut = 0; cut <= whole.length; cut++) {
    const file = copyOf(whole.subarray(0, cut));
    const left = entries.filter((_, place) => (ends[place + 1] ?? Infinity) <= cut);
    const { journal, ...read } = open(file);
    const discarded = cut - (ends[left.length] ?? 0);
    expect(read).toEqual({ entries: left, cut: discarded > 0 ? discarded : undefined });
    journal.append({ place: 4 });
    journal.close();
    expect(entriesOf(file)).toEqual([...left, { place: 4 }]);
  }
});

it('a journal with any one byte changed has every entry before it or all entries, and accepts more', () => {
  const entries = [{ place: 1 }, { place: 2, text: '灯台' }, { place: 3 }];
  const whole = fs.readFileSync(fileWith(entries));
  const ends = entries.map((_, place) => fs.statSync(fileWith(entries.slice(0, place + 1))).size);
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole);
    bytes[at] = 255 - (bytes[at] as number);
    const file = copyOf(bytes);
    const before = entries.filter((_, place) => (ends[place] ?? Infinity) <= at);
    const left = entriesOf(file);
    // A gzip file has bytes that nobody reads, such as its time.
    if (left.length !== entries.length) expect(left).toEqual(before);
    else expect(left).toEqual(entries);
    const { journal } = open(file);
    journal.append({ place: 4 });
    journal.close();
    expect(entriesOf(file)).toEqual([...left, { place: 4 }]);
  }
});

it.each([{ place: 2 }, { place: 2, text: '灯台の話'.repeat(9) }])(
  'a failed append loses its entry alone, and the next one replaces it: %j',
  (next) => {
    const file = fileWith([{ place: 1 }]);
    const { journal } = open(file);
    const write = fs.writeSync as (file: number, bytes: Uint8Array, ...place: number[]) => number;
    const full = vi.spyOn(fs, 'writeSync').mockImplementation((...parts: unknown[]) => {
      const [to, bytes, , , position] = parts as [number, Uint8Array, number, number, number];
      write(to, bytes, 0, bytes.length - 5, position);
      throw new Error('ENOSPC');
    });
    expect(() => {
      journal.append({ place: 'lost', text: '海辺の町' });
    }).toThrow('ENOSPC');
    full.mockRestore();
    expect(entriesOf(copyOf(fs.readFileSync(file)))).toEqual([{ place: 1 }]);
    journal.append(next);
    journal.close();
    expect(entriesOf(file)).toEqual([{ place: 1 }, next]);
  },
);

it('a new journal has its name on disk before its first entry', () => {
  const folder = temporaryFolder();
  const flushed: string[] = [];
  vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
    flushed.push(fs.readlinkSync(`/proc/self/fd/${file}`));
  });
  open(path.join(folder, 'journal')).journal.close();
  vi.restoreAllMocks();
  expect(flushed).toEqual([fs.realpathSync(folder)]);
});

it('a journal is whole although the disk writes and reads a few bytes at a time', () => {
  const [read, write] = [fs.readSync, fs.writeSync];
  type Call = [file: number, bytes: Uint8Array, at: number, length: number, position: number];
  vi.spyOn(fs, 'readSync').mockImplementation(((...[file, bytes, at, length, position]: Call) =>
    read(file, bytes, at, Math.min(length, 7), position)) as typeof fs.readSync);
  vi.spyOn(fs, 'writeSync').mockImplementation(((...[file, bytes, at, length, position]: Call) =>
    write(file, bytes, at, Math.min(length, 7), position)) as typeof fs.writeSync);
  const entries = [{ place: 1 }, { place: 2, text: '灯台' }];
  const file = fileWith(entries);
  expect(entriesOf(file)).toEqual(entries);
  vi.restoreAllMocks();
  expect(entriesOf(file)).toEqual(entries);
});

it('a journal that was damaged since it was opened is refused, not read in part', () => {
  const file = fileWith([{ place: 1 }, { place: 2 }]);
  const bytes = fs.readFileSync(file);
  fs.writeFileSync(file, Buffer.from(bytes).fill(0, bytes.length - 20));
  expect(() => [...readEntries(file, bytes.length)]).toThrow(/cannot be read at byte \d+$/);
  expect(openFiles(path.dirname(file))).toEqual([]);
});

it('a restarted journal has other entries in place of all earlier ones', () => {
  const file = fileWith([{ place: 1 }, { place: 2 }]);
  const { journal } = open(file);
  journal.restart([{ place: 3 }, { place: 4 }]);
  journal.append({ place: 5 });
  journal.close();
  expect(entriesOf(file)).toEqual([{ place: 3 }, { place: 4 }, { place: 5 }]);
});

it('a journal that was restarted often has one file open, and none after it is closed', () => {
  const file = fileWith([{ place: 1 }]);
  const { journal } = open(file);
  for (let number = 2; number < 5; number++) journal.restart([{ place: number }]);
  expect(openFiles(path.dirname(file))).toHaveLength(1);
  journal.close();
  expect(openFiles(path.dirname(file))).toEqual([]);
});
