import { UsageError } from './command.ts';

/** What fails when a server cannot listen: any other EACCES is about a file. */
const LISTENING: ReadonlySet<string | undefined> = new Set(['listen', 'bind', 'getaddrinfo']);

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'the port needs more rights',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'there is no host of that name',
};

/** Why a server cannot listen, with what helps; any other error as it is. `port` and `host` are where they are set. */
export function cannotListen(what: string, error: unknown, set: { host: string; port: string }): unknown {
  const { code = '', port, syscall } = error as NodeJS.ErrnoException & { port?: number };
  if (!LISTENING.has(syscall)) return error;
  const isTaken = code === 'EADDRINUSE';
  const why = isTaken ? `port ${port ?? '?'} is taken` : REASONS[code];
  if (why === undefined) return error;
  return new UsageError(`${what} cannot listen: ${why}. Set ${isTaken ? '' : `${set.host} or `}${set.port}.`);
}
