import { UsageError } from './command.ts';
import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';

/** System calls that fail when a server cannot listen; any other EACCES concerns a file. */
const LISTENING: ReadonlySet<string | undefined> = new Set(['listen', 'bind', 'getaddrinfo']);

type Settings = Readonly<Record<'host' | 'port', string>>;

const UNKNOWN_HOST = ({ host, port }: Settings) =>
  text(
    `unknown host name. Set ${host} or ${port}.`,
    `ホスト名が見つかりません。${host} か ${port} を変えてください。`,
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
  EADDRNOTAVAIL: ({ host, port }) =>
    text(
      `this machine does not have that address. Set ${host} or ${port}.`,
      `このマシンにないアドレスです。${host} か ${port} を変えてください。`,
    ),
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
};

/**
 * Adds a remedy to the error of a server that cannot listen; returns other errors unchanged. `port` and `host` name
 * the settings.
 */
export function cannotListen(what: string, error: unknown, settings: Settings): unknown {
  const { code = '', port, syscall } = error as NodeJS.ErrnoException & { port?: number };
  const reason = LISTENING.has(syscall) ? REASONS[code]?.(settings, port) : undefined;
  if (reason === undefined) return error;
  return new UsageError(`${what} cannot listen: ${reason.en}`, `${what} は起動できません。${reason.ja}`);
}
