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
  /** The service asks to slow down. */
  limited: 5,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
