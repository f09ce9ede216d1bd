import { describe, expect, it } from 'vitest';
import { systemClock } from '../../process/clock.ts';
import { silentLogger } from '../../process/logger.ts';
import { RegistryFault } from '../look-up/registry-fault.ts';
import { readBootstrap } from './bootstrap.ts';
import { createBootstrapSource } from './bootstrap-source.ts';
import type { HttpGet } from './http-get.ts';

const file = (base: string) => ({ publication: '2026-11-01T00:00:00Z', services: [[['test'], [base]]] });
const bundled = readBootstrap(file('https://bundled.example/'));

const answer = (status: number, body: string): ReturnType<HttpGet> =>
  Promise.resolve({
    status,
    contentType: '',
    location: undefined,
    retryAfter: undefined,
    body: Buffer.from(body),
  });

function start(httpGet: HttpGet, mustWait: boolean) {
  const source = createBootstrapSource({
    clock: systemClock,
    log: silentLogger(),
    httpGet,
    bundled,
    url: 'https://bootstrap.example/dns.json',
    mustWait,
  });
  const find = (ms: number) => source.basesFor('a.test', systemClock.monotonic() + ms);
  return { find, stop: source.stop };
}

describe('the bootstrap in use', () => {
  it("the operator's own is waited for", async () => {
    const get = async () => {
      await new Promise(setImmediate);
      return answer(200, JSON.stringify(file('https://own.example/')));
    };
    const { find, stop } = start(get, true);
    expect(await find(1_000)).toEqual(['https://own.example/']);
    stop();
  });

  it('is waited for no longer than the look-up has time', async () => {
    const { find, stop } = start(() => new Promise(() => undefined), true);
    expect(await find(10)).toEqual(['https://bundled.example/']);
    stop();
  });

  it("IANA's is fetched behind the look-ups, which use the bundled one until then", async () => {
    const { find, stop } = start(() => answer(200, JSON.stringify(file('https://newer.example/'))), false);
    expect(await find(1_000)).toEqual(['https://bundled.example/']);
    await new Promise(setImmediate);
    expect(await find(1_000)).toEqual(['https://newer.example/']);
    stop();
  });

  it.each<[string, HttpGet]>([
    ['cannot be fetched', () => Promise.reject(new RegistryFault('unreachable'))],
    ['is not there', () => answer(404, '')],
    ['is no JSON', () => answer(200, '<html>')],
    ['names no server', () => answer(200, '{"publication":"","services":[]}')],
  ])('that %s changes nothing', async (_, get) => {
    const { find, stop } = start(get, true);
    expect(await find(1_000)).toEqual(['https://bundled.example/']);
    stop();
  });
});
