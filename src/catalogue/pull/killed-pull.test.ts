import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { pulledCatalogue } from '../../../test/catalogue/pull-under-test.ts';
import { chanceOf, seededRandom } from '../../../test/catalogue/random-questions.ts';
import { readIndex } from '../index/engine/build-index.ts';
import { newestGeneration } from '../index/engine/index-generations.ts';
import { verifyIndex } from '../../../test/catalogue/verify-index.ts';

const KILLS = Number(process.env['MOKUROKU_PULL_KILLS'] ?? 6);

const source = pulledCatalogue();

it(
  'has a complete generation whenever the process is killed, and downloads no complete file twice',
  { timeout: 600_000 },
  async () => {
    const root = source.folders.next();
    fs.mkdirSync(root);
    const program = path.join(root, 'pull-once.mjs');
    await build({
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      entryPoints: [path.resolve(import.meta.dirname, '../../../test/catalogue/pull-once.ts')],
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
    });
    const { below } = chanceOf(seededRandom(KILLS));
    const dir = path.join(root, 'replica');
    const states = new Map<number, string>();
    const textOf = (folder: string): string => JSON.stringify([...readIndex(folder)]);
    let kills = 0;
    while (kills < KILLS) {
      states.set(newestGeneration(source.novels())?.number ?? 0, textOf(source.novels()));
      source.server.requests.length = 0;
      for (let code: number | null = null; code !== 0;) {
        let left = kills < KILLS ? below(16) : Infinity;
        const child = spawn(process.execPath, [program, source.server.url, dir], { stdio: 'inherit' });
        source.server.fault = () => {
          if (left-- !== 0) return undefined;
          kills++;
          setTimeout(() => child.kill('SIGKILL'), below(3));
          return { cutAfter: below(4_000) };
        };
        [code] = (await once(child, 'exit')) as [number | null];
        const here = newestGeneration(source.novels(dir));
        if (here === null) continue;
        expect(verifyIndex(source.novels(dir))).toEqual([]);
        expect(textOf(source.novels(dir))).toBe(states.get(here.number));
      }
      const whole = source.server.requests.filter(
        ({ file, range, status, bytes }) =>
          range === undefined && status === 200 && bytes > 0 && !file.endsWith('manifest.json'),
      );
      // A file that was cut at its first byte is requested again without a range.
      const twice = whole.filter(({ file }, at) => whole.findIndex((each) => each.file === file) < at);
      expect(twice.length).toBeLessThanOrEqual(kills);
      expect(source.differences(dir)).toEqual([]);
      await source.change();
    }
  },
);
