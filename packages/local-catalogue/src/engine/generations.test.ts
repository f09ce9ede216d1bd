import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { factsOfFile } from './files.ts';
import type { FileFacts } from './files.ts';
import {
  beginGeneration,
  completeGenerations,
  readGenerations,
  discardNewest,
  newestComplete,
  publishGeneration,
} from './generations.ts';
import type { GenerationFacts, GenerationKind, KeptGenerations } from './generations.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

// A door of its own: the index and the rankings stand on it.
interface PlainGeneration extends GenerationFacts {
  readonly files: Readonly<Record<string, FileFacts>>;
}
const PLAIN: GenerationKind<PlainGeneration> = {
  version: 3,
  ownNames: /^part-\d{6}/,
  filesOf: ({ files }) => Object.entries(files),
};

/** Publishes a generation of the given files, most of which are written first. */
function publish(
  dir: string,
  number: number,
  {
    files = [`part-00000${number}`],
    version = 3,
    keptGenerations,
  }: { files?: string[]; version?: number; keptGenerations?: KeptGenerations } = {},
): PlainGeneration {
  for (const name of files) {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    if (!fs.existsSync(path.join(dir, name))) fs.writeFileSync(path.join(dir, name), `content of ${name}`);
  }
  const facts = Object.fromEntries(files.map((name) => [name, factsOfFile(path.join(dir, name))]));
  const generation = { version, number, files: facts };
  publishGeneration(dir, generation, PLAIN, keptGenerations);
  return generation;
}

const list = (dir: string): string[] => fs.readdirSync(dir).sort();
const generationFile = (number: number): string => `generation-00000${number}.json`;

describe('a published generation', () => {
  it('is the newest', async () => {
    const dir = temporaryFolder();
    expect([await beginGeneration(dir, PLAIN), newestComplete(dir, PLAIN)]).toEqual([1, null]);
    expect(newestComplete(path.join(dir, 'missing'), PLAIN)).toBeNull();
    const first = publish(dir, 1);
    expect([await beginGeneration(dir, PLAIN), newestComplete(dir, PLAIN)]).toEqual([2, first]);
    const second = publish(dir, 2);
    expect([await beginGeneration(dir, PLAIN), newestComplete(dir, PLAIN)]).toEqual([3, second]);
  });

  it.each([
    ['the previous one', 2, [generationFile(2), generationFile(3), 'part-000002', 'part-000003']],
    ['no other', 1, [generationFile(3), 'part-000003']],
  ] as const)(
    'keeps %s, and removes what neither needs, except for the files of others',
    (_, keptGenerations, left) => {
      const dir = temporaryFolder();
      publish(dir, 1);
      publish(dir, 2);
      // A build was killed; an operator left a note.
      fs.mkdirSync(path.join(dir, 'part-000009-1'));
      fs.writeFileSync(path.join(dir, 'part-000009-1', 'half'), '');
      fs.writeFileSync(path.join(dir, 'generation-000009.json.part'), '');
      fs.writeFileSync(path.join(dir, 'my-part-000001'), '');
      publish(dir, 3, { keptGenerations });
      expect(list(dir)).toEqual([...left, 'my-part-000001'].sort());
    },
  );

  it('keeps a folder of which it needs a file', () => {
    const dir = temporaryFolder();
    publish(dir, 1, { files: ['part-000001/a', 'part-000001/b'] });
    publish(dir, 2, { files: ['part-000001/a', 'part-000002'], keptGenerations: 1 });
    expect(list(path.join(dir, 'part-000001'))).toEqual(['a', 'b']);
    expect(list(dir)).toEqual([generationFile(2), 'part-000001', 'part-000002']);
  });

  it('has the names of its files on disk before it has a manifest', () => {
    const dir = temporaryFolder();
    const flushed: [string, boolean][] = [];
    vi.spyOn(fs, 'fsyncSync').mockImplementation((open) => {
      const folder = fs.readlinkSync(`/proc/self/fd/${open}`);
      flushed.push([path.relative(dir, folder), fs.existsSync(path.join(dir, generationFile(1)))]);
    });
    publish(dir, 1, { files: ['part-000001/one', 'part-000001/other', 'part-000001-plain'] });
    expect(flushed.slice(0, 2)).toEqual([
      ['part-000001', false],
      ['', false],
    ]);
  });
});

describe('a generation is skipped', () => {
  const damages: [string, (dir: string) => void][] = [
    ['without one of its files', (dir) => fs.rmSync(path.join(dir, 'part-000002'))],
    ['with a truncated file', (dir) => fs.truncateSync(path.join(dir, 'part-000002'), 3)],
    ['with a longer file', (dir) => fs.appendFileSync(path.join(dir, 'part-000002'), 'x')],
    ...[
      ...['', 'x', 'null', '5', '{}', '{"sha256":"x"}'],
      '{"sha256":"x","generation":{"version":3,"number":2}}',
    ].map((text): (typeof damages)[number] => [
      `with the manifest ${JSON.stringify(text)}`,
      (dir) => fs.writeFileSync(path.join(dir, generationFile(2)), text),
    ]),
    [
      'with a changed manifest',
      (dir) => {
        const file = path.join(dir, generationFile(2));
        fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"number":2', '"number":7'));
      },
    ],
    [
      'with a manifest to which something was added',
      (dir) => {
        const file = path.join(dir, generationFile(2));
        const added = fs.readFileSync(file, 'utf8').replace('"number":2', '"number":2,"isSample":true');
        fs.writeFileSync(file, added);
      },
    ],
    [
      'that is a folder',
      (dir) => {
        fs.rmSync(path.join(dir, generationFile(2)));
        fs.mkdirSync(path.join(dir, generationFile(2)));
      },
    ],
    [
      'of another version',
      (dir) => {
        fs.rmSync(path.join(dir, generationFile(2)));
        publish(dir, 2, { version: 4 });
      },
    ],
  ];

  it.each(damages)('%s', async (_, damage) => {
    const dir = temporaryFolder();
    const first = publish(dir, 1);
    publish(dir, 2);
    damage(dir);
    expect([...readGenerations(dir, PLAIN)]).toEqual([
      { number: 2, generation: null },
      { number: 1, generation: first },
    ]);
    expect([...completeGenerations(dir, PLAIN)]).toEqual([first]);
    // Its number is not used again.
    expect(await beginGeneration(dir, PLAIN)).toBe(3);
  });

  it('but not one that cannot be read at present', () => {
    const dir = temporaryFolder();
    const first = publish(dir, 1);
    publish(dir, 2);
    const file = path.join(dir, generationFile(2));
    fs.rmSync(file);
    fs.symlinkSync(path.basename(file), file);
    const [second, ...others] = readGenerations(dir, PLAIN);
    expect(second).toMatchObject({ number: 2, error: { code: 'ELOOP' } });
    expect(others).toEqual([{ number: 1, generation: first }]);
    expect(() => newestComplete(dir, PLAIN)).toThrow('ELOOP');
  });
});

it('a discarded generation makes the previous one current; its number is not used again', async () => {
  const dir = temporaryFolder();
  const first = publish(dir, 1);
  publish(dir, 2);
  discardNewest(dir, PLAIN);
  expect(newestComplete(dir, PLAIN)).toEqual(first);
  expect(await beginGeneration(dir, PLAIN)).toBe(3);
  for (const left of ['the first', 'none']) {
    discardNewest(dir, PLAIN);
    expect([left, newestComplete(dir, PLAIN)]).toEqual([left, null]);
  }
  expect(await beginGeneration(dir, PLAIN)).toBe(3);
});
