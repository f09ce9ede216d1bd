import { expect, it } from 'vitest';
import type { Need } from '../doctor/check.ts';
import { systemClock } from '../process/clock.ts';
import { machineChecks } from './doctor-here.ts';
import { withoutPrefix } from './settings-environment.ts';

/** What `mokuroku doctor --live` finds here, where no name has an address. */
async function hereOf(environment: Record<string, string>) {
  const resolved: string[] = [];
  const network: Need = {};
  const resolve = (host: string) => Promise.resolve([host].slice(resolved.push(host)));
  const parts = { isLive: true, resolve, clock: systemClock, network };
  const { checks } = await machineChecks(withoutPrefix(environment), parts);
  const run = async (id: string) =>
    checks.find((check) => check.id === id)?.run(new AbortController().signal);
  await run('dns');
  const ports = checks.map(({ id }) => id).filter((id) => id.startsWith('port-'));
  return { ports, resolved, settings: (await run('settings'))?.message.en, hasNetwork: !network.missing };
}

it('doctor looks at the ports and hosts of the services to run', async () => {
  expect((await hereOf({})).ports).toEqual(['port-catalogue', 'port-registration']);
  expect((await hereOf({ SERVE_ONLY: 'catalogue' })).ports).toEqual(['port-catalogue']);
  const { ports, resolved } = await hereOf({ SERVE_ONLY: 'registration' });
  expect([ports, resolved]).toEqual([['port-registration'], ['whois.iana.org', 'data.iana.org']]);
});

it('doctor resolves no host that HOST_MAP replaces', async () => {
  const mapped = { HOST_MAP: 'whois.iana.org=127.0.0.1:4343', SERVE_ONLY: 'registration' };
  expect((await hereOf(mapped)).resolved).toEqual(['data.iana.org']);
});

it('doctor misses the network only if no server has an address', async () => {
  expect((await hereOf({})).hasNetwork).toBe(false);
  expect((await hereOf({ NAROU_BASE_URL: 'http://127.0.0.1:9' })).hasNetwork).toBe(true);
  expect((await hereOf({ HOST_MAP: 'whois.iana.org=127.0.0.1:4343' })).hasNetwork).toBe(true);
});

it('doctor wants a contact for the novel site only, and accepts an own User-Agent', async () => {
  expect((await hereOf({})).settings).toBe('NAROU_CONTACT is not set');
  expect((await hereOf({ SERVE_ONLY: 'registration' })).settings).toBe('all are valid');
  expect((await hereOf({ NAROU_USER_AGENT: 'reader (me@example.org)' })).settings).toBe('all are valid');
});

it('doctor names an unreadable setting as it was given', async () => {
  const given = { MOKUROKU_METRICS_PORT: 'many', RATE_LIMIT: 'none', RDAP_BOOTSTRAP: '/no/such/file' };
  const { settings } = await hereOf(given);
  expect(settings).toBe('cannot be read: MOKUROKU_METRICS_PORT, RATE_LIMIT, RDAP_BOOTSTRAP');
});
