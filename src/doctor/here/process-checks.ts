import { broken, warning, ok } from '../check.ts';
import type { Row } from '../check.ts';
import type { MachineFacts } from './machine-facts.ts';

/** `engines` of package.json. */
export const MIN_NODE = '20.19';

/** Whether one version is at least another: `20.9.1`, `20.19`. */
const isAtLeast = (version: string, least: string): boolean =>
  version.localeCompare(least, 'en', { numeric: true }) >= 0;

/** Odd versions are experimental, and get fixes for half a year. */
const isEven = (version: string): boolean => Number(version.split('.')[0]) % 2 === 0;

export const NODE: Row<MachineFacts> = {
  id: 'node',
  title: 'Node.js',
  run: ({ nodeVersion: text }) => {
    const values = { text, least: MIN_NODE };
    if (!isAtLeast(text, MIN_NODE)) return broken('{text}', values, 'Install Node {least} or later.');
    return isEven(text)
      ? ok('{text}', values)
      : warning('{text}', values, 'Install an even version: this one is not maintained for long.');
  },
};

export const SETTINGS: Row<MachineFacts> = {
  id: 'settings',
  title: 'Settings',
  run: ({ unreadableSettings, misspelled, hasForeignHost, hasContact, isLive }) => {
    if (unreadableSettings.length > 0) {
      const names = unreadableSettings.join(', ');
      const advice = '`mokuroku serve` prints the allowed values; docs/configuration.md lists all settings.';
      return broken('cannot be read: {names}', { names }, advice);
    }
    if (misspelled.length > 0) {
      const names = misspelled
        .map(({ name, meant }) => (meant === undefined ? name : `${name} (MOKUROKU_${meant}?)`))
        .join(', ');
      return warning('without effect: {names}', { names }, 'Correct or remove them.');
    }
    if (hasForeignHost) {
      const advice = 'Set MOKUROKU_HOST to choose the address.';
      return warning('HOST is not an address of this machine', {}, advice);
    }
    if (isLive && !hasContact) {
      const advice =
        'Set it to an address where you can be reached: the novel site may refuse you otherwise.';
      return warning('NAROU_CONTACT is not set', {}, advice);
    }
    return ok('all are valid');
  },
};
