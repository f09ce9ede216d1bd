import net from 'node:net';
import { withSignal } from '../../process/with-signal.ts';
import { NotChecked, broken, warning, ok, fillPhrase } from '../check.ts';
import type { Check } from '../check.ts';
import { compareClocks } from '../compare-clocks.ts';
import type { MachineFacts } from './machine-facts.ts';

/** Link-local addresses reach no further than the next router. */
const LOCAL = /^(?:fe[89ab]|169\.254\.)/i;

export const ADDRESSES: Check<MachineFacts> = {
  id: 'addresses',
  group: 'here',
  title: fillPhrase('Address families'),
  run: ({ networkInterfaces, isLive }) => {
    const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const outer = all.filter(({ internal, address }) => !internal && !LOCAL.test(address));
    const families = [...new Set(outer.map(({ family }) => family))].sort();
    // Not the address itself: it may be personal.
    if (families.length > 0) return ok(fillPhrase('{text}', { text: families.join(', ') }));
    const message = fillPhrase('only loopback and link-local addresses');
    return isLive ? broken(message, fillPhrase('Connect it to a network.')) : ok(message);
  },
};

export const NAMES_TO_RESOLVE: Check<MachineFacts> = {
  id: 'dns',
  group: 'here',
  title: fillPhrase('Names of servers'),
  run: async ({ hosts, resolve, isLive }, signal) => {
    const names = [...new Set(hosts)].filter((host) => net.isIP(host) === 0);
    if (names.length === 0) return ok(fillPhrase('none needed'));
    const results = await Promise.all(
      names.map(async (host) =>
        withSignal(resolve(host), signal).then(
          (all) => all.length > 0,
          () => false,
        ),
      ),
    );
    const missing = names.filter((_, index) => !results[index]);
    if (missing.length === 0) return ok(fillPhrase('all {count} have addresses', { count: names.length }));
    const unmet = missing.length === names.length ? ({ unmet: 'network' } as const) : {};
    const finding = fillPhrase('without an address: {hosts}', { hosts: missing.join(', ') });
    const advice = fillPhrase('Check the DNS servers of this machine. The sample needs none; --live does.');
    return { ...(isLive ? broken : warning)(finding, advice), ...unmet };
  },
};

export const CLOCK: Check<MachineFacts> = {
  id: 'clock-of-service',
  group: 'here',
  title: fillPhrase('The clock of this machine'),
  run: async ({ baseUrl, clock }, signal) => {
    if (baseUrl === undefined)
      throw new NotChecked(fillPhrase('nothing to compare it with: --live or --base-url'));
    const response = await fetch(new URL('/livez', baseUrl), { signal }).catch(() => undefined);
    if (response === undefined)
      return warning(
        fillPhrase('the service does not respond'),
        fillPhrase('Is the address of --base-url right?'),
      );
    const date = Date.parse(response.headers.get('date') ?? '');
    return Number.isNaN(date)
      ? warning(fillPhrase('the reply has no date to compare with'))
      : compareClocks(date, clock.now());
  },
};
