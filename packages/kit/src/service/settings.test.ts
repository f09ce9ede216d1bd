import { describe, expect, it } from 'vitest';
import { settingFaults, readConfig } from '../process/config.ts';
import { SERVICE_SETTINGS } from './settings.ts';

const read = (environment: Record<string, string>) => readConfig(SERVICE_SETTINGS, environment);
const isTaken = (environment: Record<string, string>) =>
  settingFaults(SERVICE_SETTINGS, environment).length === 0;

describe('the settings of both services', () => {
  it('default to loopback, 80 MB, sixty requests a minute and nothing shared', () => {
    expect(read({})).toMatchObject({
      HOST: '127.0.0.1',
      CACHE_MAX_BYTES: 80_000_000,
      RATE_LIMIT: 60,
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: [],
      CACHE_DISK_MAX_BYTES: 1_000_000_000,
    });
    for (const name of ['STORE_URL', 'CACHE_DIR', 'CATALOGUE_PAGE', 'REGISTRATION_PAGE']) {
      expect(read({})).not.toHaveProperty(name);
    }
  });

  it.each([
    ['CACHE_MAX_BYTES', '1000000', '999999'],
    ['CACHE_MAX_BYTES', '100000000000', '100000000001'],
    ['CACHE_DISK_MAX_BYTES', '16000000', '15999999'],
    ['RATE_LIMIT', '0', '-1'],
    ['RATE_LIMIT', '1000000000', '1000000001'],
    ['LOG_LEVEL', 'silent', 'loud'],
    ['CATALOGUE_PAGE', ':3000', ':300000'],
    ['REGISTRATION_PAGE', 'http://pages.example/names', 'ftp://pages.example/'],
    ['REGISTRATION_PAGE', 'https://pages.example', 'https://pages.example/?a=1'],
  ])('%s may be %s, not %s', (name, right, wrong) => {
    expect([isTaken({ [name]: right }), isTaken({ [name]: wrong })]).toEqual([true, false]);
  });

  it('accept the URL of a page and drop its trailing slashes', () => {
    expect(read({ CATALOGUE_PAGE: 'https://pages.example/novels//' }).CATALOGUE_PAGE).toBe(
      'https://pages.example/novels',
    );
  });
});
