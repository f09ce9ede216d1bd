import type { MokurokuError } from 'mokuroku-client/source';

/** Exit codes, documented in docs/command-line.md. */
export const EXIT = {
  done: 0,
  /** An unexpected failure: a bug of ours, or a response that makes no sense. */
  failed: 1,
  /** The command line, or a value in it, is invalid. */
  usage: 2,
  /** The novel, user or ranking does not exist, or the domain is not registered. */
  absent: 3,
  /** The service or its upstream is unavailable. */
  unavailable: 4,
  /** The service, or the registry behind it, throttles. */
  limited: 5,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** By the status, except where the error code says more. */
export function exitCodeOf({ code, status }: Pick<MokurokuError, 'code' | 'status'>): ExitCode {
  if (code === 'registry_rate_limited' || status === 429) return EXIT.limited;
  // Another program's page at that address must not pass for "no such novel".
  if (code === 'internal' || (code === 'not_json' && status < 500)) return EXIT.failed;
  if (status === 404) return EXIT.absent;
  return status >= 400 && status < 500 ? EXIT.usage : EXIT.unavailable;
}
