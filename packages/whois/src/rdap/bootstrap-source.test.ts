import { describe, expect, it } from 'vitest';
import { ServerFault } from '../net/server-fault.ts';
import { readBootstrap, createBootstrapSource } from './bootstrap.ts';
import type { HttpGet } from './http-get.ts';

const file = (base: string) => ({ publication: '2026-11-01T00:00:00Z', services: [[['test'], [base]]] });
const bundled = readBootstrap(file('https://bundled.example/'));

const answer = (status: number, body: string): ReturnType<HttpGet> =>
  Promise.resolve({
    status,
    location: undefined,
    retryAfterSeconds: undefined,
    isDelimited: true,
    body: Buffer.from(body),
  });

function start(httpGet: HttpGet, mustWait: boolean) {
  let now = 0;
  const source = createBootstrapSource({
    clock: { now: () => now, monotonic: () => now },
    log: () => undefined,
    httpGet,
    initial: bundled,
    initialSource: 'bundled',
    url: 'https://bootstrap.example/dns.json',
    mustWait,
  });
  return {
    ...source,
    find: (ms = 60_000, name = 'a.test') => source.currentBasesFor(name, now + ms),
    advance: (hours: number) => void (now += hours * 3_600_000),
  };
}

const HOURS_24 = 24;
const runPending = () => new Promise(setImmediate);

describe('the bootstrap in use', () => {
  it('of the operator is awaited', async () => {
    const get = async () => {
      await runPending();
      return answer(200, JSON.stringify(file('https://own.example/')));
    };
    const { find, about } = start(get, true);
    expect(await find()).toEqual(['https://own.example/']);
    expect(about()).toEqual({ source: 'url', publication: '2026-11-01T00:00:00Z' });
  });

  it('is awaited no longer than the time of the look-up', async () => {
    const { find } = start(() => new Promise(() => undefined), true);
    expect(await find(10)).toEqual(['https://bundled.example/']);
    expect(await find(-10)).toEqual(['https://bundled.example/']);
  });

  it('of IANA is fetched in the background; look-ups use the bundled one until then and say so', async () => {
    const { find, about } = start(() => answer(200, JSON.stringify(file('https://newer.example/'))), false);
    const result = find();
    expect(about()).toEqual({ source: 'bundled', publication: '2026-11-01T00:00:00Z' });
    expect(await result).toEqual(['https://bundled.example/']);
    await runPending();
    expect(await find()).toEqual(['https://newer.example/']);
  });

  it('is fetched once a day while it is used, and once at a time', async () => {
    let fetched = 0;
    const get = () => {
      fetched++;
      return answer(200, JSON.stringify(file(`https://v${fetched}.example/`)));
    };
    const { find, advance } = start(get, true);
    expect(fetched).toBe(0);
    await Promise.all([find(), find()]);
    advance(HOURS_24 - 1);
    expect([await find(), fetched]).toEqual([['https://v1.example/'], 1]);
    advance(1);
    // A newer one is no reason to wait: the one of yesterday is good.
    expect([await find(), fetched]).toEqual([['https://v1.example/'], 2]);
    await runPending();
    expect(await find()).toEqual(['https://v2.example/']);
  });

  it('that could not be fetched is retried after an hour', async () => {
    let fetched = 0;
    const get = () => {
      fetched++;
      return Promise.reject(new ServerFault('unreachable'));
    };
    const { find, advance } = start(get, true);
    await find();
    advance(0.99);
    await find();
    expect(fetched).toBe(1);
    advance(0.01);
    await find();
    expect(fetched).toBe(2);
  });

  it('is not fetched any more once the look-up is closed', async () => {
    let signal: AbortSignal | undefined;
    const get: HttpGet = (_url, _maxBytes, given) => {
      signal = given;
      return new Promise(() => undefined);
    };
    const { find, stop } = start(get, false);
    await find();
    stop();
    expect(signal?.aborted).toBe(true);
  });

  it.each<[string, HttpGet]>([
    ['cannot be fetched', () => Promise.reject(new ServerFault('unreachable'))],
    ['is not there', () => answer(404, '')],
    ['is no JSON', () => answer(200, '<html>')],
    ['names no server', () => answer(200, '{"publication":"","services":[]}')],
  ])('that %s changes nothing, and only one of IANA says that a zone has no server', async (_, get) => {
    const { find } = start(get, true);
    expect(await find()).toEqual(['https://bundled.example/']);
    await expect(find(60_000, 'a.other')).rejects.toBeInstanceOf(ServerFault);
    expect(await start(get, false).find(60_000, 'a.other')).toEqual([]);
  });
});

it('credentials in the URL of the bootstrap are not logged', async () => {
  const lines: string[] = [];
  const url = 'https://user:s3cret@bootstrap.example/dns.json?password=s3cret';
  const replies = [
    () => Promise.reject(new Error(`cannot reach ${url}`)),
    () => answer(200, JSON.stringify(file('https://newer.example/'))),
  ];
  for (const httpGet of replies) {
    const source = createBootstrapSource({
      clock: { now: () => 0, monotonic: () => 0 },
      log: (level, message, details) => void lines.push(JSON.stringify([level, message, details])),
      httpGet,
      initial: bundled,
      initialSource: 'bundled',
      url,
      mustWait: true,
    });
    await source.currentBasesFor('a.test', 60_000);
  }
  expect(lines).toHaveLength(2);
  expect(lines.join('')).toContain('bootstrap.example');
  expect(lines.join('')).not.toContain('s3cret');
});
