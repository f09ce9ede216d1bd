import type { MokurokuError } from '../client/index.ts';

/** What the command's end says to a script. Documented in docs/command-line.md. */
export const EXIT = {
  done: 0,
  /** A failure that should not be: a bug of ours, or an answer that makes no sense. */
  failed: 1,
  /** The command line, or a value in it, is wrong. */
  usage: 2,
  /** There is no such novel, user, ranking, or the domain is not registered. */
  absent: 3,
  /** The service or what stands behind it cannot answer at the moment. */
  unavailable: 4,
  /** The service, or the registry behind it, asks to slow down. */
  limited: 5,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** By the status, but for what another status would hide. */
export function exitCodeOf({ code, status }: Pick<MokurokuError, 'code' | 'status'>): ExitCode {
  if (code === 'registry_rate_limited') return EXIT.limited;
  // A page of something else that stands at that address must not pass for "there is no such novel".
  if (code === 'internal' || (code === 'not_json' && status < 500)) return EXIT.failed;
  if (status === 429) return EXIT.limited;
  if (status === 404) return EXIT.absent;
  return status >= 400 && status < 500 ? EXIT.usage : EXIT.unavailable;
}
