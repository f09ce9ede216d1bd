import { UsageError } from './command.ts';
import { ownValue, text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';

/** System calls that fail when a server cannot listen; any other EACCES concerns a file. */
const LISTENING: ReadonlySet<string | undefined> = new Set(['listen', 'bind']);

/** Whatever the code: also of a name that is too long. */
const UNKNOWN_HOST = text('unknown host name', 'ホスト名が見つかりません');
const NO_ADDRESS = text('this machine does not have that address', 'このマシンにないアドレスです');

const reasonsOf = (port: number): Readonly<Record<string, Text>> => ({
  EADDRINUSE: text(`port ${port} is taken`, `ポート ${port} は使用中です`),
  EACCES: text('the port needs more rights', 'このポートには権限が要ります'),
  EADDRNOTAVAIL: NO_ADDRESS,
  // Without IPv6, and fe80::1 without its interface.
  EAFNOSUPPORT: NO_ADDRESS,
  EINVAL: NO_ADDRESS,
});

/**
 * Adds a remedy to the error of a server that cannot listen; returns other errors unchanged. `port` and `host` name
 * the settings.
 */
export function cannotListen(
  what: Text,
  error: unknown,
  { host, port }: Readonly<Record<'host' | 'port', string>>,
): unknown {
  const { code = '', syscall, port: tried = 0 } = error as NodeJS.ErrnoException & { port?: number };
  const ofListening = LISTENING.has(syscall) ? ownValue(reasonsOf(tried), code) : undefined;
  const reason = syscall === 'getaddrinfo' ? UNKNOWN_HOST : ofListening;
  if (!reason) return error;
  const hosts = code === 'EADDRINUSE' ? text('', '') : text(`${host} or `, `${host} か `);
  return new UsageError(
    `${what.en} cannot listen: ${reason.en}. Set ${hosts.en}${port}.`,
    `${what.ja}は起動できません。${reason.ja}。${hosts.ja}${port} を変えてください。`,
  );
}
