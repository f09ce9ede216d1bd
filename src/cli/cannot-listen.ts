import { UsageError } from './command.ts';
import type { Phrase } from './say.ts';

/** System calls that fail when a server cannot listen; any other EACCES concerns a file. */
const LISTENING: ReadonlySet<string | undefined> = new Set(['listen', 'bind', 'getaddrinfo']);

const REASONS: Readonly<Record<string, Phrase>> = {
  EADDRINUSE: '{what} cannot listen: port {port} is taken. Set {portName}.',
  EACCES: '{what} cannot listen: the port needs more rights. Set {hostName} or {portName}.',
  EADDRNOTAVAIL:
    '{what} cannot listen: this machine does not have that address. Set {hostName} or {portName}.',
  ENOTFOUND: '{what} cannot listen: unknown host name. Set {hostName} or {portName}.',
  EAI_AGAIN: '{what} cannot listen: unknown host name. Set {hostName} or {portName}.',
};

/**
 * Adds a remedy to the error of a server that cannot listen; returns other errors unchanged. `port` and `host` name
 * the settings.
 */
export function cannotListen(what: string, error: unknown, set: { host: string; port: string }): unknown {
  const { code = '', port, syscall } = error as NodeJS.ErrnoException & { port?: number };
  const phrase = LISTENING.has(syscall) ? REASONS[code] : undefined;
  if (phrase === undefined) return error;
  return new UsageError(phrase, { what, port: port ?? '?', hostName: set.host, portName: set.port });
}
