/**
 * Receives what a look-up reports: a message for people, and its details. `warn`: a server failed; `info`: rare events;
 * `debug`: every query. Must not throw.
 */
export type Log = (
  level: 'debug' | 'info' | 'warn',
  message: string,
  details: Readonly<Record<string, unknown>>,
) => void;
