import { expect, it } from 'vitest';
import { freePort, isFree } from '../../../../test/free-port.ts';
import { serveHttp } from '../../../../test/http/serve-http.ts';
import { runRecorded } from '../../test/cli/recording-terminal.ts';
import { startServices } from './start-services.ts';

it('every invalid setting of the process and both services is named at once, each once', async () => {
  const bad = {
    RATE_LIMIT: '-1',
    CATALOGUE_SOURCE: 'other',
    CATALOGUE_PORT: '70000',
    STORE_URL: 'redis://:secret@,/redis.sock?password=secret',
    REGISTRATION_SOURCE: 'other',
    RAW_CONTACTS: 'none',
  };
  const { code, err } = await runRecorded(['serve'], { environment: bad });
  expect(code).toBe(2);
  for (const name of Object.keys(bad)) expect(err.split(`- ${name}=`)).toHaveLength(2);
  expect(err).not.toContain('secret');
});

/** Output of a start that fails on an invalid setting. */
async function printedAtStart(environment: Record<string, string>, ...args: string[]): Promise<string> {
  const started = { environment: { LOG_FORMAT: 'other', ...environment } };
  const { code, err } = await runRecorded(['serve', ...args], started);
  expect(code).toBe(2);
  return err;
}

it('a setting with MOKUROKU_ before it wins over the bare one, and is named as it was written', async () => {
  const printed = await printedAtStart({ MOKUROKU_CATALOGUE_PORT: 'x', CATALOGUE_PORT: '3000' });
  expect(printed).toContain('- MOKUROKU_CATALOGUE_PORT="x": must be');
  expect(printed).not.toContain('has no effect');
});

it('a variable close to a setting is named with the setting, and so is a removed setting; those of other programs are not', async () => {
  const others = {
    PATH: '/bin',
    HOSTNAME: 'a',
    EDITOR: 'vi',
    POST: '1',
    MOKUROKU_CATALOGUE_URL: 'http://127.0.0.1:1',
  };
  const printed = await printedAtStart({
    TRUSTED_PROXY: '::1',
    MOKUROKU_RATELIMIT: '3',
    CATALOGE_DIR: '/novels',
    MOKUROKU_NONSENSE: '1',
    CACHE_DIR: '/cache',
    ...others,
  });
  expect(printed.split('\n').filter((line) => line.includes('has no effect'))).toEqual([
    'TRUSTED_PROXY is not a setting and has no effect. Did you mean MOKUROKU_TRUSTED_PROXIES?',
    'MOKUROKU_RATELIMIT is not a setting and has no effect. Did you mean MOKUROKU_RATE_LIMIT?',
    'CATALOGE_DIR is not a setting and has no effect. Did you mean MOKUROKU_CATALOGUE_DIR?',
    'MOKUROKU_NONSENSE is not a setting and has no effect.',
    'CACHE_DIR is not a setting and has no effect.',
  ]);
});

it('a fault of a command that asks no service is none of a response', async () => {
  const outliveOutput = () => {
    throw new TypeError('a bug');
  };
  await expect(runRecorded(['serve'], { outliveOutput })).rejects.toThrow('a bug');
});

it('a HOST of another program is ignored with a warning that names MOKUROKU_HOST', async () => {
  // 192.0.2.0/24 is for documentation (RFC 5737): no machine has such an address.
  const foreign = 'HOST=192.0.2.1 is not an address of this machine and has no effect. Set MOKUROKU_HOST';
  expect(await printedAtStart({ HOST: '192.0.2.1' })).toContain(foreign);
  expect(await printedAtStart({ HOST: '127.0.0.1' })).not.toContain('has no effect');
  expect(await printedAtStart({ MOKUROKU_HOST: '192.0.2.1' })).not.toContain('has no effect');
});

it('a single service reads its own settings only, and rejects other service names', async () => {
  const bad = { CATALOGUE_SOURCE: 'other', REGISTRATION_SOURCE: 'other' };
  const printed = await printedAtStart(bad, '--only', 'registration');
  expect(printed).toContain('- REGISTRATION_SOURCE=');
  expect(printed).not.toContain('- CATALOGUE_SOURCE=');
  expect(await printedAtStart({}, '--only', 'novels')).toContain('- SERVE_ONLY="novels"');
});

it.each(['REGISTRATION_PORT', 'METRICS_PORT'])(
  'a service that runs is closed if %s is in use',
  async (name) => {
    const taken = await serveHttp(() => undefined);
    const port = await freePort();
    const environment = {
      CATALOGUE_PORT: String(port),
      REGISTRATION_PORT: '0',
      [name]: new URL(taken).port,
      LOG_LEVEL: 'silent',
    };
    expect((await runRecorded(['serve'], { environment })).code).not.toBe(0);
    expect(await isFree(port)).toBe(true);
  },
);

it('services that are closed leave no port in use, nor does that of their metrics', async () => {
  const ports = [await freePort(), await freePort(), await freePort()];
  const [catalogue, registration, metrics] = ports.map(String);
  const { close } = await startServices({
    CATALOGUE_PORT: catalogue,
    REGISTRATION_PORT: registration,
    METRICS_PORT: metrics,
    LOG_LEVEL: 'silent',
  });
  expect(await Promise.all(ports.map(isFree))).toEqual([false, false, false]);
  await close();
  expect(await Promise.all(ports.map(isFree))).toEqual([true, true, true]);
});
