import { broken, warning, ok, fillPhrase } from '../check.ts';
import type { Check } from '../check.ts';
import type { MachineFacts } from './machine-facts.ts';

/** `engines` of package.json. */
export const MIN_NODE = '20.19';

/** Whether one version is at least another: `20.9.1`, `20.19`. */
const isAtLeast = (version: string, least: string): boolean =>
  version.localeCompare(least, 'en', { numeric: true }) >= 0;

/** Odd versions are experimental, and get fixes for half a year. */
const isEven = (version: string): boolean => Number(version.split('.')[0]) % 2 === 0;

export const NODE: Check<MachineFacts> = {
  id: 'node',
  group: 'here',
  title: fillPhrase('Node.js'),
  run: ({ nodeVersion: version }) => {
    const message = fillPhrase('{text}', { text: version });
    if (!isAtLeast(version, MIN_NODE))
      return broken(message, fillPhrase('Install Node {least} or later.', { least: MIN_NODE }));
    return isEven(version)
      ? ok(message)
      : warning(message, fillPhrase('Install an even version: this one is not maintained for long.'));
  },
};

export const SETTINGS: Check<MachineFacts> = {
  id: 'settings',
  group: 'here',
  title: fillPhrase('Settings'),
  run: ({ unreadableSettings, misspelled, hasForeignHost, hasContact, isLive }) => {
    if (unreadableSettings.length > 0) {
      const names = unreadableSettings.join(', ');
      return broken(
        fillPhrase('cannot be read: {names}', { names }),
        fillPhrase('`mokuroku serve` prints the allowed values; docs/configuration.md lists all settings.'),
      );
    }
    if (misspelled.length > 0) {
      const names = misspelled.map(({ name, meant }) =>
        meant === undefined ? name : `${name} (MOKUROKU_${meant}?)`,
      );
      return warning(
        fillPhrase('without effect: {names}', { names: names.join(', ') }),
        fillPhrase('Correct or remove them.'),
      );
    }
    if (hasForeignHost)
      return warning(
        fillPhrase('HOST is not an address of this machine'),
        fillPhrase('Set MOKUROKU_HOST to choose the address.'),
      );
    if (isLive && !hasContact) {
      const advice = fillPhrase(
        'Set it to an address where you can be reached: the novel site may refuse you otherwise.',
      );
      return warning(fillPhrase('NAROU_CONTACT is not set'), advice);
    }
    return ok(fillPhrase('all are valid'));
  },
};
