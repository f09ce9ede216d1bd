import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../process/config.ts';
import { EXIT } from './exit-codes.ts';
import { withoutPrefix } from './settings-environment.ts';
import { languageOf, say } from './say.ts';
import type { Language, Phrase, Values } from './say.ts';

/** Where a command writes, and what it may know of the place. Tests hand in one of their own. */
export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Columns of the terminal; undefined when the output goes into a file or a pipe. */
  columns: number | undefined;
  outHasColour: boolean;
  errHasColour: boolean;
  /** Columns of the terminal that standard error goes to, where progress may be drawn over itself; undefined elsewhere. */
  errColumns: number | undefined;
  /** In which what is written for people is written. */
  language: Language;
  environment: Environment;
  /** Aborted by Ctrl-C, or when the system ends the process in its orderly way. */
  readonly interrupted: AbortSignal;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Rejects when interrupted. */
  pause: (ms: number) => Promise<void>;
  /** From now on nothing ends when what is printed can no longer be written: a service has more to do than to print. */
  outliveOutput: () => void;
  /** All of standard input. */
  readInput: () => Promise<string>;
  /** Shows an address in the browser, where there is one. */
  openInBrowser: (url: string) => void;
}

/** Colours, or nothing where there is no terminal to show them. */
type Style = Record<'bold' | 'dim' | 'red' | 'green' | 'yellow', (text: string) => string>;

export function createStyle(hasColour: boolean): Style {
  const between = (on: number, off: number) => (text: string) =>
    hasColour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: between(1, 22),
    dim: between(2, 22),
    red: between(31, 39),
    green: between(32, 39),
    yellow: between(33, 39),
  };
}

/** A note to the reader, beside the output; `warn` for one that must not be overlooked. */
export function note(terminal: Terminal, phrase: Phrase, values: Values = {}): void {
  terminal.err(`${createStyle(terminal.errHasColour).dim(say(terminal, phrase, values))}\n`);
}

export function warn(terminal: Terminal, phrase: Phrase, values: Values = {}): void {
  terminal.err(`${createStyle(terminal.errHasColour).yellow(say(terminal, phrase, values))}\n`);
}

/**
 * https://no-color.org: any value but the empty one turns colours off, whatever else is said.
 * https://force-color.org: any value turns them on in pipes too; 0 and false off, as other tools of Node have it.
 */
function wantsColour(
  { isTTY }: NodeJS.WriteStream,
  { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return !/^(?:0|false)$/.test(FORCE_COLOR);
  return isTTY && TERM !== 'dumb';
}

/** A pseudo-terminal that nobody gave a size (`script`, some containers) says 0. */
const columnsOf = ({ isTTY, columns }: NodeJS.WriteStream): number | undefined =>
  isTTY && columns > 0 ? columns : undefined;

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // What `start` of cmd.exe does, without a shell that would read the & of the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

function openInBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  // Nothing to open it with: the address was printed.
  child.on('error', () => undefined);
  child.unref();
}

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const language = languageOf(env);
  let needsOutput = true;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!needsOutput) return;
    // A reader that has seen enough (`| head`) closes the pipe: that is no failure of ours.
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    stderr.write(`${say({ language }, 'The output cannot be written:')} ${error.message}\n`);
    process.exit(EXIT.failed);
  });
  // There is nowhere left to say so.
  stderr.on('error', () => undefined);
  let interruption: AbortController | undefined;
  return {
    out: (written) => void stdout.write(written),
    err: (written) => void stderr.write(written),
    columns: columnsOf(stdout),
    outHasColour: wantsColour(stdout, env),
    errHasColour: wantsColour(stderr, env),
    errColumns: stderr.isTTY ? (columnsOf(stderr) ?? 80) : undefined,
    language,
    environment: withoutPrefix(env),
    // From the first question on Ctrl-C ends what is asked for; the services, which never ask, close in their own way.
    get interrupted() {
      if (!interruption) {
        const made = new AbortController();
        for (const signal of ['SIGINT', 'SIGTERM'] as const) {
          process.once(signal, () => made.abort(new Error('interrupted')));
        }
        interruption = made;
      }
      return interruption.signal;
    },
    now: Date.now,
    pause(ms) {
      return sleep(ms, undefined, { signal: this.interrupted });
    },
    outliveOutput: () => {
      needsOutput = false;
    },
    readInput: () => text(process.stdin),
    openInBrowser,
  };
}
