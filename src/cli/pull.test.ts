import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { pulledCatalogue } from '../../test/catalogue/pull-under-test.ts';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import { EXIT } from './exit-codes.ts';
import { runCommandLine } from './run-command-line.ts';
import type { Terminal } from './terminal.ts';

const source = pulledCatalogue();

async function run(args: readonly string[], of: Partial<Terminal> = {}) {
  const terminal = recordingTerminal(of);
  const code = await runCommandLine(['pull', ...args], terminal);
  return { code, ...terminal.written() };
}

it('downloads a catalogue and prints a summary, in both languages', async () => {
  const dir = source.folders.next();
  const given = ['--from', source.server.url, '--dir', dir];
  const { code, out, err } = await run(given);
  expect({ code, err }).toEqual({ code: EXIT.done, err: '' });
  expect(out).toMatch(/^novels: generation 1: (\d+) of \1 files fetched, 0\.\d MB\n$/);
  await source.change();
  const { out: japanese } = await run(given, { language: 'ja' });
  expect(japanese).toMatch(/^novels: 世代 2: \d+ ファイルのうち \d+ を取得、0(?:\.\d)? MB\n$/);
});

it('draws its progress on a terminal', async () => {
  const { err } = await run(['--from', source.server.url, '--dir', source.folders.next()], {
    errColumns: 80,
  });
  expect(err).toMatch(/novels {2}█{20} 0\.\d MB \/ 0\.\d MB/);
});

it('a failing source ends the command with 4, a folder that is not writable with 1', async () => {
  source.server.fault = () => ({ status: 403 });
  const { code, err } = await run(['--from', source.server.url, '--dir', source.folders.next()]);
  expect(code).toBe(EXIT.unavailable);
  expect(err).toMatch(/novels\/manifest\.json: the server responded 403\n.*\nFetched data are saved/s);
  source.server.fault = () => undefined;
  const dir = source.folders.next();
  fs.mkdirSync(dir);
  fs.writeFileSync(path.join(dir, 'novels'), 'a file in its place');
  const blocked = await run(['--from', source.server.url, '--dir', dir]);
  expect(blocked.code).toBe(EXIT.failed);
  const below = await run(['--from', source.server.url, '--dir', '/proc/mokuroku']);
  expect(below.code).toBe(EXIT.failed);
  expect(below.err).toContain('Cannot write to /proc/mokuroku: E');
});

it('ends with 130 when it is interrupted, and follows until then', async () => {
  const stop = new AbortController();
  let pauses = 0;
  const pause = () => {
    if (++pauses === 3) stop.abort(new Error('interrupted'));
    return Promise.resolve();
  };
  const given = ['--from', source.server.url, '--dir', source.folders.next(), '--follow'];
  const { code, out } = await run(given, { interrupted: stop.signal, pause });
  expect(code).toBe(EXIT.interrupted);
  expect(out).toMatch(/^novels: generation 1/);
});

it.each([
  [['--dir', 'x'], /--from/],
  [['--from', 'https://host/'], /--dir/],
  [['--from', 'ftp://host/', '--dir', 'x'], /ftp:\/\/host\/: use an address/],
  [['--from', 'host/path', '--dir', 'x'], /use an address/],
  [['--from', 'https://host/', '--dir', 'x', '--keep', '3'], /--keep 3: use a whole number from 1 to 2/],
])('%j is rejected, with the valid form', async (args, message) => {
  const { code, err } = await run(args);
  expect(code).toBe(EXIT.usage);
  expect(err).toMatch(message);
});
