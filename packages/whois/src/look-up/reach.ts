import type { Log } from '../net/log.ts';
import { isOffline } from '../record/offline.ts';
import type { Hop, HopOutcome } from './hops.ts';

/** Of a look-up that could reach no server; else undefined. */
export function offlineMessage(hops: readonly Hop[]): string | undefined {
  const root = hops.find(({ role }) => role === 'root');
  return root && isOffline(hops)
    ? `No server could be reached, not even ${root.server}: is this machine online?`
    : undefined;
}

/** Outcomes without a server's answer. */
const NOT_ANSWERED: ReadonlySet<HopOutcome> = new Set([
  'unreachable',
  'timeout',
  'forbidden_address',
  'paused',
  'busy',
]);

/** What the last look-ups say of our own connection; a change is logged. */
export class Reach {
  readonly #log: Log;
  /** While look-ups can reach no server. */
  offline: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Call with the hops of each look-up. */
  note(hops: readonly Hop[]): void {
    const message = offlineMessage(hops);
    // The root's answer may be a cached one.
    const isReached = hops.some(({ outcome, role }) => role !== 'root' && !NOT_ANSWERED.has(outcome));
    if (message !== undefined && this.offline === undefined) this.#log('warn', message, {});
    if (isReached && this.offline !== undefined) this.#log('info', 'registries can be reached again', {});
    this.offline = isReached ? undefined : (message ?? this.offline);
  }
}
