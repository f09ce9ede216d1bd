import { beforeAll, expect, it } from 'vitest';
import { MokurokuError } from 'mokuroku-client/source';
import type { ResponseFacts } from 'mokuroku-client/source';
import { startAnsweringServer } from '../../../../../test/client/answering-server.ts';
import type { AnsweringServer } from '../../../../../test/client/answering-server.ts';
import { createCallLog } from './calls.ts';

/** Ends the response to `/late`. */
let endLate = () => {};
let service: AnsweringServer;
let base = '';
beforeAll(async () => {
  service = await startAnsweringServer();
  base = service.baseUrl;
  service.answers = [
    (response, path) => {
      if (path === '/waits') return;
      if (path === '/late') endLate = () => response.end();
      else if (path === '/breaks') response.destroy();
      else response.writeHead(path === '/absent' ? 404 : 200).end();
    },
  ];
  return service.close;
});

it('the calls of a question are in the order in which they were sent, whichever is answered first', async () => {
  const log = createCallLog(() => 0, base);
  const { fetch } = log.record('a');
  const late = fetch?.(`${base}/late`);
  await fetch?.(`${base}/`);
  endLate();
  await late;
  expect(log.sent('a').calls.map(({ url }) => url.slice(base.length))).toEqual(['/late', '/']);
});

it('the calls of a question have their status, 0 after a failure; an aborted one has none', async () => {
  const log = createCallLog(() => 0, base);
  const { fetch } = log.record('a');
  const abort = new AbortController();
  const waiting = fetch?.(`${base}/waits`, { signal: abort.signal });
  expect(log.sent('a').calls).toEqual([{ url: `${base}/waits`, status: null }]);
  abort.abort();
  await expect(waiting).rejects.toThrow();
  await fetch?.(`${base}/`);
  await fetch?.(`${base}/absent`);
  await expect(fetch?.(`${base}/breaks`)).rejects.toThrow();
  expect(log.sent('a').calls.map(({ url, status }) => [url.slice(base.length), status])).toEqual([
    ['/waits', null],
    ['/', 200],
    ['/absent', 404],
    ['/breaks', 0],
  ]);
  log.record('a');
  expect(log.sent('a').calls).toEqual([]);
});

it('the calls of a view are shown once each, until its last part is gone', async () => {
  const log = createCallLog(() => 0, base);
  let changes = 0;
  const stop = log.onChange(() => (changes += 1));
  await log.record('a').fetch?.(`${base}/`);
  await log.record('b').fetch?.(`${base}/absent`);
  expect([log.shown(), changes]).toEqual([[], 4]);
  const hide = [log.show('a'), log.show('a'), log.show('b')];
  const ofB = { url: `${base}/absent`, status: 404 };
  expect(log.shown()).toEqual([{ url: `${base}/`, status: 200 }, ofB]);
  hide[0]?.();
  expect(log.shown()).toHaveLength(2);
  hide[1]?.();
  expect(log.shown()).toEqual([ofB]);
  hide[2]?.();
  expect(log.shown()).toEqual([]);
  stop();
  log.show('a');
  expect(changes).toBe(10);
});

it('the service is unreachable while the last request that ended got no response', async () => {
  const log = createCallLog(() => 0, base);
  const fetchFrom = (url: string, signal?: AbortSignal) =>
    log.record('a').fetch?.(url, signal ? { signal } : {});
  await fetchFrom(`${base}/`);
  expect(log.isUnreachable()).toBe(false);
  await expect(fetchFrom('http://127.0.0.1:1/')).rejects.toThrow();
  expect(log.isUnreachable()).toBe(true);
  // A request that the page itself aborted says nothing.
  await expect(fetchFrom(`${base}/`, AbortSignal.abort())).rejects.toThrow();
  expect(log.isUnreachable()).toBe(true);
  await fetchFrom(`${base}/`);
  expect(log.isUnreachable()).toBe(false);
});

it('a pause states its end and whether a limit is its reason, and is over when it is aborted', async () => {
  const log = createCallLog(() => 5_000, base);
  const abort = new AbortController();
  const failure = (status: number) =>
    new MokurokuError({ code: 'a', message: '', url: '', response: { status } as ResponseFacts });
  const pause = log.record('a').pause?.(60_000, abort.signal, failure(429));
  expect(log.sent('a')).toMatchObject({ waitsUntil: 65_000, isLimited: true });
  const other = log.record('b').pause?.(60_000, abort.signal, failure(200));
  expect(log.sent('b').isLimited).toBe(false);
  abort.abort();
  await expect(pause).rejects.toThrow();
  await expect(other).rejects.toThrow();
  expect(log.sent('a').waitsUntil).toBeNull();
});

it('the calls of at most 300 questions are remembered, the oldest are dropped first', async () => {
  const log = createCallLog(() => 0, base);
  for (let place = 0; place <= 300; place += 1) await log.record(String(place)).fetch?.(`${base}/`);
  expect([0, 1, 300].map((place) => log.sent(String(place)).calls.length)).toEqual([0, 1, 1]);
});
