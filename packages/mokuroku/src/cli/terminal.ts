import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { systemSleep, withSignal } from '@mokuroku/kit/deadline';
import type { Environment } from '@mokuroku/kit/process';
import { EXIT } from './exit-codes.ts';
import { withoutPrefix } from './settings-environment.ts';
import type { Text } from '@mokuroku/kit';
import { printableLines, terminalText } from './text-width.ts';

export type Language = keyof Text;

/** Output of a command and properties of the terminal. Tests pass their own. */
export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Resolves once all output so far is written; rejects when interrupted. A failure ends the process first. */
  flush: () => Promise<void>;
  /** Columns of the terminal; undefined in files and pipes. */
  columns: number | undefined;
  outHasColour: boolean;
  errHasColour: boolean;
  /** Columns of the terminal behind standard error, where progress is redrawn in place; undefined elsewhere. */
  errColumns: number | undefined;
  /** Language of texts for people. */
  language: Language;
  environment: Environment;
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly interrupted: AbortSignal;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Rejects when interrupted. */
  pause: (ms: number) => Promise<void>;
  /** From now on, a failed write to the output does not end the process: a service continues. */
  outliveOutput: () => void;
  /** All of standard input. */
  readInput: () => Promise<string>;
  /** Opens an address in the browser, if there is one. */
  openInBrowser: (url: string) => void;
}

/** Colours, or unchanged text without a terminal. */
type Style = Record<'bold' | 'dim' | 'red' | 'yellow', (text: string) => string>;

export function createStyle(hasColour: boolean): Style {
  const between = (on: number, off: number) => (text: string) =>
    hasColour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: between(1, 22),
    dim: between(2, 22),
    red: between(31, 39),
    yellow: between(33, 39),
  };
}

/** A text for people in the terminal's language. Control characters of its values are replaced. */
export const say = ({ language }: { language: Language }, en: string, ja: string): string =>
  terminalText(language === 'ja' ? ja : en);

export const sayMeant = (screen: { language: Language }, meant: string): string =>
  say(screen, `Did you mean ${meant}?`, `もしかして: ${meant}`);

/** A text of a table, such as a label or the description of an option. */
export const translated = ({ language }: { language: Language }, text: Text): string => text[language];

/** A note on standard error; `warn` for one that must not be overlooked. */
export function note(terminal: Terminal, en: string, ja: string): void {
  terminal.err(`${createStyle(terminal.errHasColour).dim(say(terminal, en, ja))}\n`);
}

export function warn(terminal: Terminal, en: string, ja: string): void {
  terminal.err(`${createStyle(terminal.errHasColour).yellow(say(terminal, en, ja))}\n`);
}

/**
 * https://no-color.org: any non-empty value turns colours off and takes precedence. https://force-color.org: any
 * value turns them on in pipes too; 0 and false turn them off, as in other tools of Node.
 */
function wantsColour(
  { isTTY }: NodeJS.WriteStream,
  { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return !/^(?:0|false)$/.test(FORCE_COLOR);
  return isTTY && TERM !== 'dumb';
}

/** As in POSIX, LC_ALL over LC_MESSAGES over LANG; without any of them (Windows) the system's locale. */
export function languageOf(environment: Environment): Language {
  const locale =
    environment['LC_ALL'] ||
    environment['LC_MESSAGES'] ||
    environment['LANG'] ||
    new Intl.DateTimeFormat().resolvedOptions().locale;
  return /^ja\b|^ja_/i.test(locale) ? 'ja' : 'en';
}

/** A pseudo-terminal without a size (`script`, some containers) reports 0. */
const columnsOf = ({ isTTY, columns }: NodeJS.WriteStream): number | undefined =>
  isTTY && columns > 0 ? columns : undefined;

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Equals `start` of cmd.exe, without a shell that would interpret the & of the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

function openInBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  // No browser: the address was printed.
  child.on('error', () => undefined);
  child.unref();
}

function abortedBySignals(): AbortSignal {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interruption.abort(new Error('interrupted')));
  return interruption.signal;
}

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const language = languageOf(env);
  let needsOutput = true;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!needsOutput) return;
    // A reader (`| head`) may close the pipe early: not a failure.
    if (error.code === 'EPIPE') process.exit();
    stderr.write(
      `${say({ language }, 'Cannot write the output:', '出力を書き込めません:')} ${error.message}\n`,
    );
    process.exit(EXIT.failed);
  });
  // No output is left for a report.
  stderr.on('error', () => undefined);
  let interruption: AbortSignal | undefined;
  return {
    out: (written) => void stdout.write(written),
    err: (written) => void stderr.write(written),
    flush() {
      const written = new Promise<void>((resolve) => {
        stdout.write('', (error) => {
          if (!error) resolve();
        });
      });
      return withSignal(written, this.interrupted);
    },
    columns: columnsOf(stdout),
    outHasColour: wantsColour(stdout, env),
    errHasColour: wantsColour(stderr, env),
    errColumns: stderr.isTTY ? (columnsOf(stderr) ?? 80) : undefined,
    language,
    environment: withoutPrefix(env),
    // From the first request on, Ctrl-C aborts it. The services, which never request this signal, shut down in their
    // own way.
    get interrupted() {
      return (interruption ??= abortedBySignals());
    },
    now: Date.now,
    pause(ms) {
      return systemSleep(ms, this.interrupted);
    },
    outliveOutput: () => {
      needsOutput = false;
    },
    readInput: () => text(process.stdin),
    openInBrowser,
  };
}

/** Writes JSON or CSV: into a pipe as it is, to a terminal without control sequences. */
export const writeData = (terminal: Terminal, data: string): void =>
  terminal.out(terminal.columns === undefined ? data : printableLines(data));
