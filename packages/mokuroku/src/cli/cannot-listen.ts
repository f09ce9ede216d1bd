import { UsageError } from './command.ts';
import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';

/** System calls that fail when a server cannot listen; any other EACCES concerns a file. */
const LISTENING: ReadonlySet<string | undefined> = new Set(['listen', 'bind']);

type Settings = Readonly<Record<'host' | 'port', string>>;

/** Whatever the code: also of a name that is too long. */
const UNKNOWN_HOST = ({ host, port }: Settings) =>
  text(
    `unknown host name. Set ${host} or ${port}.`,
    `ホスト名が見つかりません。${host} か ${port} を変えてください。`,
  );

const NO_ADDRESS = ({ host, port }: Settings) =>
  text(
    `this machine does not have that address. Set ${host} or ${port}.`,
    `このマシンにないアドレスです。${host} か ${port} を変えてください。`,
  );

const REASONS: Readonly<Record<string, (settings: Settings, port: number | undefined) => Text>> = {
  EADDRINUSE: ({ port: setting }, port = 0) =>
    text(
      `port ${port} is taken. Set ${setting}.`,
      `ポート ${port} は使用中です。${setting} を変えてください。`,
    ),
  EACCES: ({ host, port }) =>
    text(
      `the port needs more rights. Set ${host} or ${port}.`,
      `このポートには権限が要ります。${host} か ${port} を変えてください。`,
    ),
  EADDRNOTAVAIL: NO_ADDRESS,
  // Without IPv6, and fe80::1 without its interface.
  EAFNOSUPPORT: NO_ADDRESS,
  EINVAL: NO_ADDRESS,
};

/**
 * Adds a remedy to the error of a server that cannot listen; returns other errors unchanged. `port` and `host` name
 * the settings.
 */
export function cannotListen(what: string, error: unknown, settings: Settings): unknown {
  const { code = '', port, syscall } = error as NodeJS.ErrnoException & { port?: number };
  const reasonOf = syscall === 'getaddrinfo' ? UNKNOWN_HOST : LISTENING.has(syscall) && REASONS[code];
  if (!reasonOf) return error;
  const reason = reasonOf(settings, port);
  return new UsageError(`${what} cannot listen: ${reason.en}`, `${what} は起動できません。${reason.ja}`);
}
