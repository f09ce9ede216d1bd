import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { buildIndex } from './build-index.ts';
import { requireGeneration } from './index-generations.ts';
import { readFrequentWords } from './frequent-words.ts';
import { recordsFile } from './records.ts';

it.each([
  ['read at once', 1, (bytes: number) => bytes < 1 << 20],
  ['read text by text', 160, (bytes: number) => bytes > 1 << 20],
])(
  'a word that every record has is frequent, at all of its places (records %s)',
  async (_, times, isSize) => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-frequent-'));
    onTestFinished(() => fs.rmSync(dir, { recursive: true }));
    const novels = Array.from({ length: 600 }, (_each, index) =>
      plainNovel({
        ncode: `N${String(index).padStart(4, '0')}TA`,
        title: `灯台守の手紙${index}`,
        story: `第${index}話。`.repeat(times),
      }),
    );
    await buildIndex(dir, novels, { spacing: 4, isLogged: false });
    const folder = path.join(dir, requireGeneration(dir).segments[0]!.folder);
    expect(isSize(fs.statSync(recordsFile(folder)).size)).toBe(true);
    const words = readFrequentWords(folder);
    for (const word of ['灯台守の手紙', '灯', '冒険']) {
      const { low = 0, high = 0 } = words.get(word) ?? {};
      expect(high - low, word).toBe(novels.length);
    }
  },
);
