import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startRespServer } from '../../test/store/resp-server.ts';
import { startCatalogue } from '../catalogue/main.ts';

const SETTINGS = { CATALOGUE_PORT: '0', LOG_LEVEL: 'silent' };

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
});
