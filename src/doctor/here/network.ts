import net from 'node:net';
import { withSignal } from '../../process/with-signal.ts';
import { NotChecked, broken, warning, ok } from '../check.ts';
import type { Row } from '../check.ts';
import { compareClocks } from '../compare-clocks.ts';
import type { MachineFacts } from './machine-facts.ts';

/** Link-local addresses reach no further than the next router. */
const LOCAL = /^(?:fe[89ab]|169\.254\.)/i;

export const ADDRESSES: Row<MachineFacts> = {
  id: 'addresses',
  title: 'Address families',
  run: ({ networkInterfaces, isLive }) => {
    const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const outer = all.filter(({ internal, address }) => !internal && !LOCAL.test(address));
    const families = [...new Set(outer.map(({ family }) => family))].sort();
    // Not the address itself: it may be personal.
    if (families.length > 0) return ok('{text}', { text: families.join(', ') });
    const message = 'only loopback and link-local addresses';
    return isLive ? broken(message, {}, 'Connect it to a network.') : ok(message);
  },
};

export const NAMES_TO_RESOLVE: Row<MachineFacts> = {
  id: 'dns',
  title: 'Names of servers',
  run: async ({ hosts: given, resolve, isLive }, signal) => {
    const names = [...new Set(given)].filter((host) => net.isIP(host) === 0);
    if (names.length === 0) return ok('none needed');
    const addresses = await Promise.all(
      names.map((host) => withSignal(resolve(host), signal).catch(() => [])),
    );
    const missing = names.filter((_, index) => addresses[index]?.length === 0);
    if (missing.length === 0) return ok('all {count} have addresses', { count: names.length });
    const unmet = missing.length === names.length ? ({ unmet: 'network' } as const) : {};
    const advice = 'Check the DNS servers of this machine. The sample needs none; --live does.';
    const hosts = missing.join(', ');
    return { ...(isLive ? broken : warning)('without an address: {hosts}', { hosts }, advice), ...unmet };
  },
};

export const CLOCK: Row<MachineFacts> = {
  id: 'clock-of-service',
  title: 'The clock of this machine',
  run: async ({ baseUrl, clock }, signal) => {
    if (baseUrl === undefined) throw new NotChecked('nothing to compare it with: --live or --base-url');
    const response = await fetch(new URL('/livez', baseUrl), { signal }).catch(() => undefined);
    return response === undefined
      ? warning('the service does not respond', {}, 'Is the address of --base-url right?')
      : compareClocks(Date.parse(response.headers.get('date') ?? ''), clock.now());
  },
};
