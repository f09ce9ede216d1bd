import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveHttp } from '../../../../test/http/serve-http.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { HOUR_AGO, localServices } from '../../test/catalogue/local-services.ts';
import type { LocalService } from '../../test/catalogue/local-services.ts';
import { interruptedAtPause, runRecorded } from '../../test/cli/recording-terminal.ts';
import { TEST_NOW } from '../../test/catalogue/start-test-catalogue.ts';
import { changeIndex } from '../../../local-catalogue/src/engine/build-index.ts';
import { japanDateTime } from '@mokuroku/narou';
import { createCatalogueClient } from 'mokuroku-client/source';
import type { Change } from 'mokuroku-client/source';
import { EXIT } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

const services = localServices();

/** A service, and generations with the next episodes of its first novels. */
async function startPublishing(name: string) {
  const dir = services.copyOf(name);
  const service = await services.start(dir, { cacheBytes: 1, rateLimit: 0 });
  const novels = services.upstream.catalogue.novels().slice(0, 5);
  const counts = novels.map(({ general_all_no }) => general_all_no);
  const published: string[] = [];
  return {
    dir,
    service,
    published,
    /** Events per generation. */
    publish: async (episodes: number): Promise<void> => {
      for (const [index, novel] of novels.entries()) {
        for (let each = 0; each < episodes; each++) published.push(`${novel.ncode} ${++counts[index]!}`);
      }
      const put = novels.map((novel, index) => ({
        ...novel,
        general_all_no: counts[index]!,
        general_lastup: japanDateTime(TEST_NOW + published.length * 1_000),
        fetched_at: HOUR_AGO,
      }));
      await changeIndex(path.join(dir, 'novels'), put, { now: TEST_NOW / 1000 });
      await service.local.refresh();
    },
  };
}

const eventsIn = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Change);
const nameOf = ({ ncode, episode }: Change): string => `${ncode} ${episode ?? ''}`;

async function run(
  { base }: Pick<LocalService, 'base'>,
  args: readonly string[],
  of: Partial<Terminal> = {},
) {
  const { code, out, err } = await runRecorded(['changes', ...args, '--base-url', base], of);
  const lines = out.split('\n').filter((line) => line !== '');
  return { code, out, err, lines };
}

describe('mokuroku changes', () => {
  it('prints the events, as text and as JSON, and those of one novel, genre or author', async () => {
    const { service, publish, published } = await startPublishing('printed');
    await publish(2);
    const { code, lines } = await run(service, []);
    expect(code).toBe(EXIT.done);
    expect(lines).toHaveLength(10);
    const noticed = japanDateTime(TEST_NOW).slice(0, 16);
    expect(lines[0]).toMatch(new RegExp(`^${noticed} {2}Episode \\d+ +N\\w+ {2}\\S`));
    const japanese = await run(service, [], { language: 'ja' });
    expect(japanese.lines[0]).toMatch(new RegExp(`^${noticed} {2}最新話 \\d+ +N\\w+ {2}\\S`));
    const json = eventsIn((await run(service, ['--json'])).lines);
    expect(json.map(nameOf).sort()).toEqual([...published].sort());
    const [first] = json;
    expect((await run(service, ['--ncode', first!.ncode, '--kind', 'episode'])).lines).toHaveLength(2);
    const novels = new Map(services.upstream.catalogue.novels().map((each) => [each.ncode, each]));
    for (const field of ['genre', 'userid'] as const) {
      const wanted = novels.get(first!.ncode)?.[field];
      const shown = (await run(service, [`--${field}`, String(wanted), '--json'])).lines;
      const expected = json.filter(({ ncode }) => novels.get(ncode)?.[field] === wanted);
      expect(eventsIn(shown)).toEqual(expected);
      expect(expected.length).toBeLessThan(json.length);
    }
  });

  it('stores its cursor in a file: across runs and failures it prints each event exactly once', async () => {
    const { service, publish, published, dir } = await startPublishing('watched');
    const file = path.join(dir, 'cursor');
    const given = ['--watch', '--json', '--since', 'now', '--cursor', file];
    const seen: string[] = [];
    let failures = '';
    for (let each = 0; each < 3; each++) {
      const publishing = interruptedAtPause(3, (pauses) => publish(1 + pauses));
      const { code, lines, err } = await run(service, given, publishing);
      expect(code).toBe(EXIT.interrupted);
      seen.push(...eventsIn(lines).map(nameOf));
      failures += err;
      // Also between two runs.
      await publish(1);
    }
    // All except the last five, which no poll has fetched yet.
    expect([...seen].sort()).toEqual(published.slice(0, -5).sort());
    const { lines } = await run(service, ['--json', '--cursor', file]);
    seen.push(...eventsIn(lines).map(nameOf));
    expect(failures).toBe('');
    expect(seen.sort()).toEqual(published.sort());
  });

  it('resumes after the last printed event if its output ends early', async () => {
    const { service, publish, dir } = await startPublishing('cut');
    await publish(2);
    const all = (await run(service, ['--json'])).lines;
    for (const member of ['out', 'flush']) {
      const given = ['--json', '--cursor', path.join(dir, `${member}.cursor`)];
      let printed = 0;
      const write = () => {
        if (++printed > 3) throw new Error('the reader is gone');
      };
      await expect(run(service, given, { [member]: write })).rejects.toThrow('gone');
      expect((await run(service, given)).lines).toEqual(all.slice(3));
    }
  });

  it('stores the cursor of an event only once its receiver has accepted it: none is lost over restarts', async () => {
    const { service, publish, dir } = await startPublishing('posted');
    await publish(2);
    const all = (await run(service, ['--json'])).lines;
    const received: string[] = [];
    let requests = 0;
    const post = await serveHttp((request, response) => {
      void text(request).then((body) => {
        const isAccepted = ++requests % 4 === 0;
        if (isAccepted) received.push(body);
        response.writeHead(isAccepted ? 204 : 503).end();
      });
    });
    const cursor = ['--cursor', path.join(dir, 'cursor')];
    const given = ['--post', post, ...cursor];
    // Between two attempts at the third event.
    const { code } = await run(service, ['--watch', ...given], interruptedAtPause(7));
    expect(code).toBe(EXIT.interrupted);
    expect(received).toEqual(all.slice(0, 2));
    expect((await run(service, given)).code).toBe(EXIT.done);
    expect(received).toEqual(all);
    await publish(1);
    const { code: undelivered, err } = await run(service, ['--post', '127.0.0.1:1', ...cursor]);
    expect(undelivered).toBe(EXIT.unavailable);
    expect(err).toContain('127.0.0.1:1: unreachable');
    expect((await run(service, ['--json', ...cursor])).lines).toHaveLength(5);
  });

  it('begins at --since if the file of its cursor is empty', async () => {
    const { service, publish, dir } = await startPublishing('emptied');
    await publish(2);
    const { cursor } = JSON.parse((await run(service, ['--json'])).lines[8] ?? '') as Change;
    const file = path.join(dir, 'cursor');
    fs.writeFileSync(file, '\n');
    expect((await run(service, ['--since', cursor, '--cursor', file])).lines).toHaveLength(1);
  });

  it('reports an expired cursor, its file, and what to do', async () => {
    const { service, dir } = await startPublishing('expired');
    const file = path.join(dir, 'cursor');
    fs.writeFileSync(file, '00000000-1-1\n');
    const { code, err } = await run(service, ['--watch', '--cursor', file]);
    expect(code).toBe(EXIT.usage);
    expect(err).toContain('continue with --since now');
    expect(err).toContain(`First delete ${file}.`);
    const { err: blocked } = await run(service, ['--cursor', dir]);
    expect(blocked).toContain('cannot be used (no regular file)');
  });

  const error = (code: string) => JSON.stringify({ error: { code, message: 'No.' } });
  const WRONG = { status: 400, body: error('invalid_parameter') };
  it.each([
    ['continues', 'throttles', { status: 429, body: error('rate_limited') }, EXIT.usage],
    ['continues', 'fails for a while', { status: 503, body: error('of_a_later_release') }, EXIT.usage],
    [
      'continues',
      'is behind a proxy with a page of its own',
      { status: 200, body: '<p>Soon</p>' },
      EXIT.usage,
    ],
    ['ends', 'has no changes', { status: 501, body: error('not_available_here') }, EXIT.unavailable],
    ['ends', 'has a fault of its own', { status: 500, body: error('internal') }, EXIT.failed],
  ])('--watch %s if the service %s', async (does, _what, first, exitCode) => {
    const replies = [first, first, WRONG];
    const base = await serveHttp((_request, response) => {
      const { status, body } = replies.shift() ?? WRONG;
      response.writeHead(status).end(body);
    });
    let paused = 0;
    const pause = () => Promise.resolve(void paused++);
    const { code, err } = await run({ base }, ['--watch'], { pause });
    expect([code, paused, replies.length]).toEqual([exitCode, ...(does === 'continues' ? [2, 0] : [0, 2])]);
    expect(err).toContain('No.');
  });

  it('--watch continues while there is no service', async () => {
    // An unused port.
    const { code } = await run({ base: 'http://127.0.0.1:1' }, ['--watch'], interruptedAtPause(2));
    expect(code).toBe(EXIT.interrupted);
  });
});

it('changesSince yields each event once across generations, until its signal', async () => {
  const { service, publish, published } = await startPublishing('iterated');
  const stop = new AbortController();
  let pauses = 0;
  const client = createCatalogueClient({
    baseUrl: service.base,
    pause: async () => {
      if (++pauses === 6) stop.abort(new Error('enough'));
      stop.signal.throwIfAborted();
      await publish(pauses);
    },
  });
  const seen: string[] = [];
  const search = { lim: 7, kind: 'episode', everySeconds: 1 } as const;
  const iterate = async () => {
    for await (const event of client.changesSince(search, { signal: stop.signal })) seen.push(nameOf(event));
  };
  await expect(iterate()).rejects.toThrow('enough');
  expect(published.length).toBe(75);
  expect(seen.sort()).toEqual(published.sort());
});

/** A socket: as a device, a file that is no regular one. */
async function listenOn(file: string): Promise<void> {
  const server = net.createServer().listen(file);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
}

/** A service with pages of one event each; the requested cursors. */
async function servePages(count: number) {
  const requested: (string | null)[] = [];
  const base = await serveHttp(({ url = '' }, response) => {
    const since = new URL(url, 'http://service.example').searchParams.get('since');
    requested.push(since);
    const next = Number(since ?? 0) + 1;
    const event = { kind: 'new', ncode: 'N0001A', noticedAt: '2026-01-05T00:00:00Z', cursor: String(next) };
    const meta = { cached: false, tookMs: 1, source: 'local', next: String(next), more: next < count };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ data: [event], meta }));
  });
  return { base, requested };
}

it('a run without --watch prints every page that there is', async () => {
  const { base, requested } = await servePages(3);
  const { code, lines } = await run({ base }, []);
  expect([code, lines.length, requested]).toEqual([EXIT.done, 3, [null, '1', '2']]);
});

it.each([
  ['90', 90_000],
  ['5', 30_000],
  ['999999', 3_600_000],
])('--watch waits at least half a minute, and as a 503 states: Retry-After %s', async (stated, expected) => {
  const base = await serveHttp((_request, response) => {
    response.writeHead(503, { 'Retry-After': stated });
    response.end('{"error":{"code":"overloaded","message":"The service is overloaded."}}');
  });
  const { interrupted, pause } = interruptedAtPause(1);
  const pauses: number[] = [];
  const waits = (ms: number) => (pauses.push(ms), pause(ms));
  const { code } = await run({ base }, ['--watch'], { interrupted, pause: waits });
  expect([code, pauses]).toEqual([EXIT.interrupted, [expected]]);
});

it('a cursor file in a folder that is missing is refused before any request', async () => {
  const { base, requested } = await servePages(1);
  const { code, err } = await run({ base }, ['--cursor', '/missing/changes.cursor']);
  expect([code, requested]).toEqual([EXIT.usage, []]);
  expect(err).toContain('--cursor /missing/changes.cursor cannot be used');
});

it.each([
  ['without a cursor', { data: [], meta: {} }],
  ['with an empty cursor', { data: [], meta: { next: '' } }],
  [
    'with a cursor that is no text',
    {
      data: [{ ncode: 'N0001A', noticedAt: '2026-01-05T00:00:00Z', cursor: { a: 1 } }],
      meta: { next: 'b' },
    },
  ],
  [
    'of events without cursors',
    { data: [{ ncode: 'N0001A', noticedAt: '2026-01-05T00:00:00Z' }], meta: { next: 'b' } },
  ],
])('a page %s leaves the file of the cursor as it is: another program answers', async (_which, page) => {
  const base = await serveHttp((_request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(page));
  });
  const file = path.join(temporaryFolder(), 'cursor');
  fs.writeFileSync(file, 'a\n');
  const { code, out } = await run({ base }, ['--cursor', file]);
  expect([code, out, fs.readFileSync(file, 'utf8')]).toEqual([EXIT.failed, '', 'a\n']);
});

it('a cursor file that is no regular file is refused before any request, not replaced', async () => {
  const { base, requested } = await servePages(1);
  const file = path.join(temporaryFolder(), 'socket');
  await listenOn(file);
  const { code, err } = await run({ base }, ['--cursor', file]);
  expect([code, requested]).toEqual([EXIT.usage, []]);
  expect(err).toContain(`--cursor ${file} cannot be used (no regular file)`);
  expect(fs.statSync(file).isSocket()).toBe(true);
});
