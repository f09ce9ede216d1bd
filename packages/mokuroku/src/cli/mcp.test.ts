import { expect, it, onTestFinished } from 'vitest';
import { runRecorded } from '../../test/cli/recording-terminal.ts';
import { startCatalogue } from '../catalogue/main.ts';

const listeners = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

it('no service remains if one of them cannot start, so that the process ends', async () => {
  const environment = { REGISTRATION_SOURCE: 'live', RDAP_BOOTSTRAP: '/missing/dns.json' };
  const before = listeners();
  const { code, err } = await runRecorded(['mcp'], { environment });
  expect([code, err]).toEqual([2, expect.stringContaining('RDAP_BOOTSTRAP="/missing/dns.json"')]);
  expect(listeners()).toBe(before);
});

it.each([
  ['ftp://me:hidden@host.example', 2],
  ['http://me:hidden%zz@127.0.0.1:9', 2],
  ['http://me:hidden@127.0.0.1:9', 4],
])('an address that cannot be used is reported without its password: %s', async (address, expected) => {
  const { code, err } = await runRecorded(['mcp', '--base-url', address]);
  expect(code).toBe(expected);
  expect(err).not.toContain('hidden');
});

it('a service that is named twice is reported at once: no agent could call its tools', async () => {
  const { address, close } = await startCatalogue({ LOG_LEVEL: 'silent', CATALOGUE_PORT: '0' });
  onTestFinished(() => close());
  const { code, err } = await runRecorded(['mcp', '--base-url', `${address},${address}`]);
  expect([code, err]).toEqual([2, expect.stringContaining('Name each service once')]);
});
