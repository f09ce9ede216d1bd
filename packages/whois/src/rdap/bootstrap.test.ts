import { describe, expect, it } from 'vitest';
import bundled from '../look-up/data/rdap-bootstrap.json' with { type: 'json' };
import type { Log } from '../net/log.ts';
import { ServerFault } from '../net/server-fault.ts';
import { createBootstrapSource, readBootstrap } from './bootstrap.ts';
import type { HttpGet } from './http-get.ts';

const file = (...services: unknown[]) => ({ publication: '2026-11-01T00:00:00Z', version: '1.0', services });

describe('the RDAP bootstrap', () => {
  it('finds the server of the longest zone that ends the name, label by label', () => {
    const { basesFor } = readBootstrap(
      file([['test'], ['https://tld.example/']], [['co.test', 'org.test'], ['https://second.example/rdap']]),
    );
    expect(basesFor('a.test')).toEqual(['https://tld.example/']);
    expect(basesFor('a.b.co.test')).toEqual(['https://second.example/rdap/']);
    expect(basesFor('a.notco.test')).toEqual(['https://tld.example/']);
    expect(basesFor('co.test')).toEqual(['https://second.example/rdap/']);
    expect(basesFor('a.other')).toEqual([]);
  });

  it('finds a zone in any case', () => {
    const { basesFor } = readBootstrap(file([['TEST', 'XN--P1AI'], ['https://tld.example/']]));
    expect([basesFor('a.test'), basesFor('a.xn--p1ai')]).toEqual(Array(2).fill(['https://tld.example/']));
  });

  it('prefers https', () => {
    const { basesFor } = readBootstrap(file([['test'], ['http://a.example/', 'https://b.example/']]));
    expect(basesFor('a.test')).toEqual(['https://b.example/', 'http://a.example/']);
  });

  it('drops invalid base URLs', () => {
    const urls = [
      'ftp://a.example/',
      'nonsense',
      'https://user@b.example/',
      'https://c.example/?q',
      'https://d.example/',
    ];
    expect(readBootstrap(file([['test'], urls])).basesFor('a.test')).toEqual(['https://d.example/']);
  });

  it.each([
    [null],
    [{}],
    [{ publication: '', services: [] }],
    [file([['test'], ['nonsense']])],
    [{ services: [['a']] }],
  ])('is rejected if it is not a bootstrap: %j', (json) => {
    expect(() => readBootstrap(json)).toThrow();
  });

  it('that is bundled has 1,200 TLDs and its date of publication', () => {
    const { publication, basesFor, zones } = readBootstrap(bundled);
    expect(zones).toHaveLength(1_200);
    expect(publication).toBe('2026-07-23T02:00:03Z');
    expect(basesFor('example.app')).toEqual(['https://pubapi.registry.google/rdap/']);
    expect(basesFor('example.kg')).toEqual(['http://rdap.cctld.kg/']);
    expect(basesFor('example.de')).toEqual([]);
  });
});

const BOOTSTRAP_URL = 'https://bootstrap.example/dns.json';

const answer = (status: number, body: string): ReturnType<HttpGet> =>
  Promise.resolve({
    status,
    location: undefined,
    retryAfterSeconds: undefined,
    isDelimited: true,
    body: Buffer.from(body),
  });

const answerAt = (base: string) => answer(200, JSON.stringify(file([['test'], [base]])));

function start(httpGet: HttpGet, mustWait: boolean, log: Log = () => undefined, url = BOOTSTRAP_URL) {
  let now = 0;
  const source = createBootstrapSource({
    clock: { now: () => now, monotonic: () => now },
    log,
    httpGet,
    initial: readBootstrap(file([['test'], ['https://bundled.example/']])),
    initialSource: 'bundled',
    url,
    mustWait,
  });
  return {
    ...source,
    find: (ms = 60_000, name = 'a.test') => source.currentBasesFor(name, now + ms),
    advance: (hours: number) => void (now += hours * 3_600_000),
  };
}

const runPending = () => new Promise(setImmediate);

describe('the bootstrap in use', () => {
  it('of the operator is awaited', async () => {
    const get = async () => {
      await runPending();
      return answerAt('https://own.example/');
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
    const { find, about } = start(() => answerAt('https://newer.example/'), false);
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
      return answerAt(`https://v${fetched}.example/`);
    };
    const { find, advance } = start(get, true);
    expect(fetched).toBe(0);
    await Promise.all([find(), find()]);
    advance(23);
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
  const gets = [() => Promise.reject(new Error(`cannot reach ${url}`)), () => answerAt('https://a.example/')];
  for (const get of gets) await start(get, true, (...line) => lines.push(JSON.stringify(line)), url).find();
  expect(lines).toHaveLength(2);
  expect(lines.join('')).toContain('bootstrap.example');
  expect(lines.join('')).not.toContain('s3cret');
});
