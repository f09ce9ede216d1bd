import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startRespServer } from '../../test/store/resp-server.ts';
import { startCatalogue } from '../catalogue/main.ts';
import type { Clock } from '../process/clock.ts';
import { systemClock } from '../process/clock.ts';
import { startRegistration } from '../registration/main.ts';

const SETTINGS = { CATALOGUE_PORT: '0', REGISTRATION_PORT: '0', LOG_LEVEL: 'silent' };

/** By this clock every timer is two seconds late. */
const LATE: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() * 41 };

/** A port on which somebody else listens. */
async function takenPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as net.AddressInfo).port;
}

describe('a service', () => {
  it('leaves no port open when it is closed', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
    const before = ports();
    const service = await startCatalogue(SETTINGS);
    expect(ports()).toBeGreaterThan(before);
    await service.close();
    await expect.poll(ports).toBe(before);
  });

  it('lets the store go when it is closed', async () => {
    const store = await startRespServer();
    const service = await startCatalogue({ ...SETTINGS, STORE_URL: `redis://127.0.0.1:${store.port}` });
    expect(store.sockets.size).toBe(1);
    await service.close();
    await expect.poll(() => store.sockets.size).toBe(0);
    expect(store.commands.at(-1)).toEqual(['quit']);
  });

  it('that cannot listen says so, and leaves nothing behind', async () => {
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

  it.each([
    ['catalogue', startCatalogue, '/v1/meta/genres'],
    ['registration', startRegistration, '/-/about'],
  ])(
    '%s: is not overloaded by its own sample, where a live one is by the same lateness',
    async (_, start, path) => {
      const sample = await start(SETTINGS, LATE);
      onTestFinished(() => sample.close());
      // Started behind the other, so that it is the last to notice.
      const live = await startRegistration({ ...SETTINGS, REGISTRATION_SOURCE: 'live' }, LATE);
      onTestFinished(() => live.close());
      const status = async (address: string) => (await fetch(address)).status;
      await expect.poll(() => status(`${live.address}/-/about`)).toBe(503);
      expect(await status(sample.address + path)).toBe(200);
    },
  );

  it('a machine that slept is not overloaded when it wakes', async () => {
    let [slept, looks] = [0, 0];
    const monotonic = () => {
      looks++;
      return systemClock.monotonic() + slept;
    };
    const live = await startRegistration(
      { ...SETTINGS, REGISTRATION_SOURCE: 'live' },
      { ...systemClock, monotonic },
    );
    onTestFinished(() => live.close());
    slept = 2 * 86_400_000;
    const before = looks;
    // Nobody asks anything: it is the guard that looks at the clock.
    await expect.poll(() => looks).toBeGreaterThan(before + 1);
    expect((await fetch(`${live.address}/-/about`)).status).toBe(200);
  });
});
