import { expect, it } from 'vitest';
import { readMachineFacts } from './doctor-here.ts';
import { withoutPrefix } from './settings-environment.ts';

/** What `mokuroku doctor --live` looks at under these settings. */
const hereOf = async (settings: Record<string, string>) =>
  (await readMachineFacts(withoutPrefix(settings), true)).machine;

it('doctor looks at the ports and hosts of the services to run', async () => {
  const namesOf = async (settings: Record<string, string>) =>
    (await hereOf(settings)).ports.map(({ name }) => name);
  expect(await namesOf({})).toEqual(['CATALOGUE_PORT', 'REGISTRATION_PORT']);
  expect(await namesOf({ SERVE_ONLY: 'catalogue' })).toEqual(['CATALOGUE_PORT']);
  expect(await namesOf({ SERVE_ONLY: 'registration' })).toEqual(['REGISTRATION_PORT']);
  expect((await hereOf({ SERVE_ONLY: 'registration' })).hosts).toEqual(['whois.iana.org', 'data.iana.org']);
});

it('doctor resolves no host that HOST_MAP replaces', async () => {
  const { hosts } = await hereOf({ HOST_MAP: 'whois.iana.org=127.0.0.1:4343', SERVE_ONLY: 'registration' });
  expect(hosts).toEqual(['127.0.0.1', 'data.iana.org']);
});

it('doctor accepts an own User-Agent as the contact', async () => {
  expect((await hereOf({})).lacksContact).toBe(true);
  expect((await hereOf({ SERVE_ONLY: 'registration' })).lacksContact).toBe(false);
  expect((await hereOf({ NAROU_USER_AGENT: 'reader (me@example.org)' })).lacksContact).toBe(false);
});

it('doctor names an unreadable setting as it was given', async () => {
  const given = { MOKUROKU_METRICS_PORT: 'many', RATE_LIMIT: 'none', RDAP_BOOTSTRAP: '/no/such/file' };
  const { unreadableSettings } = await hereOf(given);
  expect(unreadableSettings).toEqual(['MOKUROKU_METRICS_PORT', 'RATE_LIMIT', 'RDAP_BOOTSTRAP']);
});
