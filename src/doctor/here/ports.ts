import net from 'node:net';
import { listenFault } from '../../process/listen-fault.ts';
import { broken, ok } from '../check.ts';
import type { Row } from '../check.ts';
import type { DoctorPhrase } from '../phrases.ts';
import type { MachineFacts, PortSetting } from './machine-facts.ts';

/** Texts of our services, by path. */
const OURS = {
  '/openapi.json': /"(?:Novel Catalogue Query|Domain Registration Lookup) API"/,
  '/metrics': /^# HELP mokuroku_/m,
};

/** Which program listens there; `silent` if it does not respond in time. */
async function identifyListener({ host, port }: PortSetting, signal: AbortSignal): Promise<Listener> {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (net.isIPv6(host) ? `[${host}]` : host);
  for (const [path, text] of Object.entries(OURS)) {
    const response = await fetch(`http://${reached}:${port}${path}`, { signal, redirect: 'error' }).catch(
      () => undefined,
    );
    if (response && text.test(await response.text().catch(() => ''))) return 'ours';
    if (signal.aborted) return 'silent';
  }
  return 'other';
}

const IN_USE = {
  ours: '{port} is in use by mokuroku',
  other: '{port} is in use by another program',
  silent: '{port} is in use, and does not respond',
} as const satisfies Record<string, DoctorPhrase>;
type Listener = keyof typeof IN_USE;

const REASONS: Readonly<Record<string, DoctorPhrase>> = {
  EACCES: 'it needs more rights',
  EADDRNOTAVAIL: 'this machine does not have that address',
};

/** Maximum wait for the listening program to identify itself. */
const OWN_ANSWER_MS = 2_000;

export const portCheck = (setting: PortSetting): Row<MachineFacts> => ({
  id: `port-${setting.name.toLowerCase().replace(/_port$/, '')}`,
  title: 'Port of {name}',
  titleValues: { name: setting.name },
  run: async (_machine, signal) => {
    const { name, port } = setting;
    if (port === 0) return ok('any free one');
    const fault = await listenFault(setting);
    if (fault === undefined) return ok('{port} is free', { port });
    const advice = 'Set {name} or MOKUROKU_HOST.';
    if (fault !== 'EADDRINUSE') return broken(REASONS[fault] ?? 'it cannot be listened on', { name }, advice);
    const either = AbortSignal.any([signal, AbortSignal.timeout(OWN_ANSWER_MS)]);
    const listener = await identifyListener(setting, either);
    return listener === 'ours' ? ok(IN_USE.ours, { port }) : broken(IN_USE[listener], { port, name }, advice);
  },
});
