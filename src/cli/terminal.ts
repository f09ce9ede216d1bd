/** Where a command writes, and what it may know of the place. Tests hand in one of their own. */
export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Columns of the terminal; undefined when the output goes into a file or a pipe. */
  columns: number | undefined;
  outHasColour: boolean;
  errHasColour: boolean;
  /** Whether progress may be drawn over itself on standard error. */
  errIsTerminal: boolean;
  environment: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** https://no-color.org: any value but the empty one turns colours off, whatever else is said. */
function wantsColour(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): boolean {
  return stream.isTTY && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
}

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  // A reader that has seen enough (`| head`) closes the pipe: that is no failure of ours.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  let interruption: AbortController | undefined;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    columns: stdout.isTTY ? stdout.columns : undefined,
    outHasColour: wantsColour(stdout, env),
    errHasColour: wantsColour(stderr, env),
    errIsTerminal: stderr.isTTY,
    environment: env,
    // From the first question on Ctrl-C ends what is asked for; the services, which never ask, close in their own way.
    get interrupted() {
      if (!interruption) {
        const made = new AbortController();
        process.once('SIGINT', () => {
          made.abort(new Error('interrupted'));
        });
        interruption = made;
      }
      return interruption.signal;
    },
    now: Date.now,
  };
}
