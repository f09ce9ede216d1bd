import net from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { packed, startLoopbackUpstream } from '../catalogue/loopback-upstream.ts';
import { bulk, startRespServer, storingReplies } from '../store/resp-server.ts';
import { startServices } from '../../packages/mokuroku/src/cli/start-services.ts';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { systemClock } from '@mokuroku/kit/process';
import type { RunningService } from '@mokuroku/kit/service';
import { freePort } from '../free-port.ts';
import { startRegistration } from '../../packages/mokuroku/src/registration/main.ts';

/** On a busy machine, no request waits too long for the upstream, and no command for the store. */
const PATIENT = { UPSTREAM_TIMEOUT_MS: '600000', STORE_TIMEOUT_MS: '5000' };
const SETTINGS = { ...PATIENT, CATALOGUE_PORT: '0', REGISTRATION_PORT: '0', LOG_LEVEL: 'silent' };

/** The value of a metric, without the prefix of its name. */
const metricOf = async ({ metrics }: RunningService, name: string) =>
  (await metrics.getSingleMetric(`mokuroku_${name}`)?.get())?.values[0]?.value;
/** 1 while the service uses its store. */
const storeGauge = (service: RunningService) => metricOf(service, 'store_in_use');

/** A port in use. */
async function takenPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as net.AddressInfo).port;
}

describe('a service', () => {
  it('has no open port after close', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
    const before = ports();
    const service = await startCatalogue(SETTINGS);
    expect(ports()).toBeGreaterThan(before);
    await service.close();
    await expect.poll(ports).toBe(before);
  });

  it('has the default of a setting that is empty, as in a file for containers', async () => {
    const service = await startCatalogue({ ...SETTINGS, RATE_LIMIT: ' ', STORE_URL: '' });
    onTestFinished(() => service.close());
    const { headers } = await fetch(`${service.address}/v1/meta/genres`);
    expect(headers.get('ratelimit-policy')).toBe('"default";q=60;w=60');
  });

  it('holds no more responses in memory than CACHE_MAX_BYTES', async () => {
    const service = await startCatalogue({ ...SETTINGS, RATE_LIMIT: '0', CACHE_MAX_BYTES: '1000000' });
    onTestFinished(() => service.close());
    let received = 0;
    for (let st = 1; received < 2_000_000; st += 50)
      received += (await (await fetch(`${service.address}/v1/novels?lim=50&st=${st}`)).text()).length;
    const bytes = (await metricOf(service, 'cache_bytes')) ?? 0;
    expect(bytes).toBeGreaterThan(500_000);
    expect(bytes).toBeLessThanOrEqual(1_000_000);
    expect(await metricOf(service, 'cache_entries')).toBeGreaterThan(1);
  });

  it('counts what is in progress', async () => {
    let respond: () => void = () => undefined;
    const upstream = await startLoopbackUpstream((request, response) => {
      respond = () => packed([{ allcount: 1 }, { ncode: 'N0001A' }])(request, response);
    });
    const source = { CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL: upstream.url };
    const service = await startCatalogue({ ...SETTINGS, ...source });
    onTestFinished(() => service.close());
    const names = ['cache_loads_under_way', 'in_flight_requests', 'connections', 'connections_total'];
    const counts = () => Promise.all(names.map((name) => metricOf(service, name)));
    const answer = fetch(`${service.address}/v1/novels?lim=1`);
    await expect.poll(() => upstream.seen.length).toBe(1);
    expect(await counts()).toEqual([1, 1, 1, 1]);
    expect(await metricOf(service, 'in_flight_bytes')).toBeGreaterThan(0);
    respond();
    expect((await answer).status).toBe(200);
    await expect.poll(counts).toEqual([0, 0, 1, 1]);
    expect(await metricOf(service, 'in_flight_bytes')).toBe(0);
  });

  it.each([
    ['127.0.0.1', [200, 200, 429]],
    ['', [200, 429, 429]],
  ])('counts the clients that a proxy forwards if it trusts it: %j', async (TRUSTED_PROXIES, statuses) => {
    const service = await startCatalogue({ ...SETTINGS, RATE_LIMIT: '1', TRUSTED_PROXIES });
    onTestFinished(() => service.close());
    const answers: number[] = [];
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) {
      const headers = { 'x-forwarded-for': client };
      answers.push((await fetch(`${service.address}/v1/meta/genres`, { headers })).status);
    }
    expect(answers).toEqual(statuses);
  });

  it('names its requests unlike any other', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const service = await startCatalogue(SETTINGS);
        onTestFinished(() => service.close());
        return (await fetch(`${service.address}/livez`)).headers.get('x-request-id');
      }),
    );
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('closes the store when it is closed', async () => {
    const store = await startRespServer();
    const service = await startCatalogue({ ...SETTINGS, STORE_URL: `redis://127.0.0.1:${store.port}` });
    expect(store.sockets.size).toBe(1);
    await service.close();
    await expect.poll(() => store.sockets.size).toBe(0);
    expect(store.commands.at(-1)).toEqual(['quit']);
  });

  it('continues without a store that replies too late, and uses it again once it replies in time', async () => {
    let isLate = true;
    const store = await startRespServer(([name], socket) => {
      const reply = name === 'get' ? '$-1\r\n' : '*3\r\n:1\r\n:59\r\n:0\r\n';
      if (isLate) setTimeout(() => socket.write(reply), 150);
      return isLate ? undefined : reply;
    });
    let ms = 0;
    const service = await startCatalogue(
      { ...SETTINGS, STORE_TIMEOUT_MS: '100', STORE_URL: `redis://127.0.0.1:${store.port}` },
      { now: () => systemClock.now(), monotonic: () => ms },
    );
    onTestFinished(() => service.close());
    const isInUse = async () => {
      expect((await fetch(`${service.address}/v1/novels?lim=1`)).status).toBe(200);
      return [await storeGauge(service), store.sockets.size];
    };
    expect(await isInUse()).toEqual([1, 1]);
    for (let request = 0; request < 5; request++) {
      ms += 400;
      await isInUse();
    }
    const sent = store.commands.length;
    expect(await isInUse()).toEqual([0, 1]);
    expect(store.commands).toHaveLength(sent);
    isLate = false;
    ms += 2_000;
    await expect.poll(isInUse).toEqual([1, 1]);
  });

  it('starts at once without a store that refuses it, and after 3 s without one that loads its data', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const start = (port: number) => startCatalogue({ ...SETTINGS, STORE_URL: `redis://127.0.0.1:${port}` });
    const refused = await start(await freePort());
    onTestFinished(() => refused.close());
    const loading = () => bulk('loading:1\r\nloading_eta_seconds:600\r\n');
    const store = await startRespServer(undefined, undefined, loading);
    const starting = start(store.port);
    while (store.connections === 0) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(3_000);
    const service = await starting;
    onTestFinished(() => service.close());
    expect((await fetch(`${service.address}/livez`)).status).toBe(200);
  });

  it('starts with a store that is too busy to reply at its first attempt', async () => {
    const first = [undefined];
    const info = () => (first.length > 0 ? first.pop() : bulk('loading:0\r\n'));
    const store = await startRespServer(storingReplies(), undefined, info);
    const STORE_URL = `redis://127.0.0.1:${store.port}`;
    const service = await startCatalogue({ ...SETTINGS, STORE_TIMEOUT_MS: '100', STORE_URL });
    onTestFinished(() => service.close());
    expect(await storeGauge(service)).toBe(1);
  });

  it.each([
    ['lists nested too deep', '*1\r\n'.repeat(50_000)],
    ['a list too long', '*4294967296\r\n'],
  ])(
    'continues without a server, a cluster or Sentinels whose replies cannot be parsed: %s',
    async (_name, bad) => {
      let isBad = true;
      const store = await startRespServer(
        ([name]) => (isBad ? bad : name === 'get' ? '$-1\r\n' : '*3\r\n:1\r\n:59\r\n:0\r\n'),
        undefined,
        () => (isBad ? bad : bulk('loading:0\r\n')),
      );
      const address = `redis://127.0.0.1:${store.port}`;
      const start = async (settings: Record<string, string>) => {
        const service = await startCatalogue({ ...SETTINGS, ...settings });
        onTestFinished(() => service.close());
        return service;
      };
      const service = await start({ STORE_URL: address });
      const others = [
        await start({ STORE_URL: `${address},${address}` }),
        await start({ STORE_URL: address, STORE_SENTINEL_NAME: 'name' }),
      ];
      const status = async ({ address: at }: RunningService, lim: number) =>
        (await fetch(`${at}/v1/novels?lim=${lim}`)).status;
      for (const each of [service, ...others])
        expect([await storeGauge(each), await status(each, 1)]).toEqual([0, 200]);
      isBad = false;
      await expect.poll(() => storeGauge(service)).toBe(1);
      isBad = true;
      expect([await status(service, 2), await storeGauge(service)]).toEqual([200, 0]);
    },
  );

  it('uses a store again as soon as its connection is back, however long that was lost', async () => {
    let isLoading = false;
    const info = () => bulk(`loading:${Number(isLoading)}\r\nloading_eta_seconds:0.01\r\n`);
    const store = await startRespServer(storingReplies(), undefined, info);
    let ms = 0;
    const service = await startCatalogue(
      { ...SETTINGS, STORE_URL: `redis://127.0.0.1:${store.port}` },
      { now: () => systemClock.now(), monotonic: () => ms },
    );
    onTestFinished(() => service.close());
    isLoading = true;
    for (const socket of store.sockets) socket.destroy();
    await expect.poll(() => storeGauge(service)).toBe(0);
    for (let request = 0; request < 10; request++) {
      ms += 400;
      expect((await fetch(`${service.address}/v1/novels?lim=1&st=${request + 1}`)).status).toBe(200);
    }
    isLoading = false;
    await expect.poll(() => storeGauge(service)).toBe(1);
  });

  it('that cannot listen fails, and leaves nothing running', async () => {
    const store = await startRespServer();
    const starting = startCatalogue({
      ...SETTINGS,
      CATALOGUE_PORT: String(await takenPort()),
      STORE_URL: `redis://127.0.0.1:${store.port}`,
    });
    await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect.poll(() => store.sockets.size).toBe(0);
    expect(store.commands.at(-1)).toEqual(['quit']);
  });

  it('a machine that slept is not overloaded when it wakes', async () => {
    let slept = 0;
    const monotonic = () => systemClock.monotonic() + slept;
    const live = await startRegistration(
      { ...SETTINGS, REGISTRATION_SOURCE: 'live' },
      { ...systemClock, monotonic },
    );
    onTestFinished(() => live.close());
    slept = 2 * 86_400_000;
    expect((await fetch(`${live.address}/-/about`)).status).toBe(200);
  });

  it('a response of several upstream requests times out at its own deadline', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let respond: () => void = () => undefined;
    const upstream = await startLoopbackUpstream((request, response) => {
      respond = () => packed([{ ncode: 'N0001A', rank: 1, pt: 1 }])(request, response);
    });
    const service = await startCatalogue({
      ...SETTINGS,
      UPSTREAM_TIMEOUT_MS: '1000',
      CATALOGUE_SOURCE: 'narou',
      NAROU_BASE_URL: upstream.url,
    });
    onTestFinished(() => service.close());
    let answer: Response | undefined;
    void fetch(`${service.address}/v1/rankings/daily/hydrated?date=2020-01-01`).then(
      (response) => (answer = response),
    );
    const requests = async (count: number) => {
      while (upstream.seen.length < count) await new Promise(setImmediate);
    };
    await requests(1);
    await vi.advanceTimersByTimeAsync(900);
    respond();
    await requests(2);
    await vi.advanceTimersByTimeAsync(100);
    while (answer === undefined) await new Promise(setImmediate);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([504, '10']);
    expect(await answer.json()).toMatchObject({ error: { code: 'upstream_timeout' } });
  });
});

it('both services wait for a silent store at the same time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const silent = () => undefined;
  const store = await startRespServer(silent, undefined, silent);
  const STORE_URL = `redis://127.0.0.1:${store.port}`;
  const starting = startServices({ ...SETTINGS, STORE_TIMEOUT_MS: '100', STORE_URL });
  while (store.sockets.size < 2) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(3_000);
  const { running, close } = await starting;
  vi.useRealTimers();
  onTestFinished(() => close());
  expect(running.map(({ name }) => name)).toEqual(['catalogue', 'registration']);
});
