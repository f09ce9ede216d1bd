import { describe, expect, it, onTestFinished } from 'vitest';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { packed, plain, startLoopbackUpstream } from '../catalogue/loopback-upstream.ts';
import { startRespServer, storingReplies } from '../store/resp-server.ts';

// Responses that replicas share in a store, whose bytes may be anybody's.

const DAY = 86_400;
const YEAR_AHEAD = Date.now() + 365 * DAY * 1_000;
const NOVEL = '/v1/novels/n1234ab';
const ABSENT = '/v1/users/12345';
const FOUND = packed([{ allcount: 1 }, { ncode: 'N1234AB', title: 'invented' }]);

const settingsOn = (port: number) => ({
  CATALOGUE_PORT: '0',
  RATE_LIMIT: '0',
  LOG_LEVEL: 'silent',
  STORE_URL: `redis://127.0.0.1:${port}`,
  STORE_TIMEOUT_MS: '5000',
});

/** A store, an upstream with one novel, and services over both, whose clock the test moves. */
async function startServices() {
  const values = new Map<string, string>();
  const store = { isFull: false };
  const reply = storingReplies(values);
  const { port, commands } = await startRespServer((words, socket) =>
    store.isFull && words[0] === 'set' ? '-OOM command not allowed\r\n' : reply(words, socket),
  );
  const upstream = await startLoopbackUpstream(FOUND);
  const begun = Date.now();
  let ahead = 0;
  const clock = { now: () => begun + ahead, monotonic: () => ahead };
  const start = async () => {
    const service = await startCatalogue(
      {
        CATALOGUE_SOURCE: 'narou',
        NAROU_BASE_URL: upstream.url,
        ...settingsOn(port),
      },
      clock,
    );
    onTestFinished(() => service.close());
    return async (path: string) => {
      const response = await fetch(service.address + path);
      const { meta } = (await response.json()) as { meta?: { cached: boolean; stale?: true } };
      const header = (name: string) => response.headers.get(name) ?? '';
      return {
        status: response.status,
        cached: meta?.cached,
        age: Number(header('age')),
        maxAge: Number(/max-age=(\d+)/.exec(header('cache-control'))?.[1]),
      };
    };
  };
  const spoil = (change: (value: string) => string) => {
    for (const [key, value] of values) values.set(key, change(value));
  };
  /** Sets moments of all stored responses, by their names, a year ahead. */
  const setAhead = (moments: RegExp) =>
    spoil((value) =>
      value.replace(/"(\w+(?:At|Until))":\d+/g, (whole, name: string) =>
        moments.test(name) ? `"${name}":${YEAR_AHEAD}` : whole,
      ),
    );
  const advance = (seconds: number) => void (ahead += seconds * 1_000);
  return { start, store, commands, upstream, spoil, setAhead, advance };
}

describe('a stored response', () => {
  it('is a hit of another replica, until the store lets it expire', async () => {
    const { start, upstream, commands } = await startServices();
    expect(await (await start())(NOVEL)).toMatchObject({ status: 200, cached: false });
    expect(await (await start())(NOVEL)).toMatchObject({ status: 200, cached: true });
    expect(upstream.seen).toHaveLength(1);
    expect(commands.find(([name]) => name === 'set')?.slice(-2)).toEqual(['PX', `${14 * DAY * 1_000}`]);
  });

  it('has at most 8 MiB: a larger one would take longer than a command may', async () => {
    const { port, commands } = await startRespServer(storingReplies(new Map()));
    const service = await startCatalogue(settingsOn(port));
    onTestFinished(() => service.close());
    const day = (ago: number) => new Date(Date.now() - ago * DAY * 1_000).toISOString().slice(0, 10);
    const span = `/v1/rankings/daily/hydrated?from=${day(40)}&to=${day(10)}`;
    const response = await fetch(service.address + span, { headers: { 'accept-encoding': 'identity' } });
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(8 * 1024 * 1024);
    const stored = commands.filter(([name]) => name === 'set').map(([, , value = '']) => value.length);
    expect(stored.length).toBeGreaterThan(31);
    expect(Math.max(...stored)).toBeLessThan(8 * 1024 * 1024);
  });

  it.each<[string, (value: string) => string]>([
    ['cut off', (value) => value.slice(0, -1)],
    ['continued', (value) => `${value} `],
    ['of another key', (value) => value.replace('"key":"', '"key":"x')],
    ['of another release', (value) => value.replace('"form":5', '"form":4')],
    ['with headers of its own', (value) => value.replace('"etag":"W/', '"etag":"a\\r\\nb: c W/')],
    ['with another status', (value) => value.replace('"status":200', '"status":201')],
  ])('is not served if it is %s', async (_what, change) => {
    const { start, upstream, spoil } = await startServices();
    await (
      await start()
    )(NOVEL);
    spoil(change);
    expect(await (await start())(NOVEL)).toMatchObject({ status: 200, cached: false });
    expect(upstream.seen).toHaveLength(2);
  });

  it.each([':1\r\n', '*0\r\n', '*3\r\n:1\r\n:2\r\n:3\r\n'])(
    'is none if the store replies what belongs to another command: %j',
    async (reply) => {
      const { port } = await startRespServer(([name]) => (name === 'get' ? reply : '+OK\r\n'));
      const service = await startCatalogue(settingsOn(port));
      onTestFinished(() => service.close());
      expect((await fetch(`${service.address}/v1/novels?lim=1`)).status).toBe(200);
    },
  );

  it('is not read beyond 10 MB, whatever length the store states', async () => {
    let sent = 0;
    const { port } = await startRespServer(([name], socket) => {
      if (name !== 'get') return '+OK\r\n';
      const part = Buffer.alloc(1_000_000);
      const send = () => {
        if (socket.destroyed || sent > 200_000_000) return;
        sent += part.length;
        socket.write(part, send);
      };
      socket.write('$500000000\r\n', send);
      return undefined;
    });
    // The reply alone ends the connection, not a timeout.
    const service = await startCatalogue({ ...settingsOn(port), STORE_TIMEOUT_MS: '5000' });
    onTestFinished(() => service.close());
    expect((await fetch(`${service.address}/v1/novels?lim=1`)).status).toBe(200);
    expect(sent).toBeLessThan(30_000_000);
  });

  it('is served for 14 days, an absence for a minute, whatever moments the store has', async () => {
    const { start, upstream, setAhead, advance } = await startServices();
    const one = await start();
    await one(NOVEL);
    upstream.answer = (request, response) =>
      packed(request.query.get('userid') === '12345' ? [{ allcount: 0 }] : [{ allcount: 1 }, { userid: 7 }])(
        request,
        response,
      );
    expect((await one(ABSENT)).status).toBe(404);
    setAhead(/Until/);
    upstream.answer = plain('', 500);
    const two = await start();
    expect((await two(NOVEL)).maxAge).toBe(14 * DAY);
    expect((await two(ABSENT)).status).toBe(404);
    advance(60);
    expect((await two(ABSENT)).status).toBe(503);
    advance(14 * DAY);
    expect((await two(NOVEL)).status).toBe(503);
  });

  it('does not replace a younger one, nor one from the future any', async () => {
    const { start, store, upstream, setAhead, advance } = await startServices();
    const get = await start();
    await get(NOVEL);
    store.isFull = true;
    advance(6 * DAY);
    expect(await get(NOVEL)).toMatchObject({ status: 200, cached: false });
    upstream.answer = plain('', 500);
    advance(2 * DAY);
    expect(await get(NOVEL)).toMatchObject({ status: 200, age: 2 * DAY });
    setAhead(/./);
    expect(await get(NOVEL)).toMatchObject({ status: 200, age: 2 * DAY });
  });
});
