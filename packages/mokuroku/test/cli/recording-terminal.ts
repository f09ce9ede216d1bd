import { DAY_OF_TESTS } from '../../../../test/sample-services.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { withoutPrefix } from '../../src/cli/settings-environment.ts';
import type { Terminal } from '../../src/cli/terminal.ts';

export interface RecordingTerminal extends Terminal {
  /** All output so far. */
  written: () => { out: string; err: string };
  /** Addresses opened in the browser. */
  opened: readonly string[];
}

/** Interrupted as by Ctrl-C at its pause of this number; the earlier ones do `meanwhile`, and wait for nothing else. */
export function interruptedAtPause(
  last: number,
  meanwhile: (pauses: number) => Promise<void> = () => Promise.resolve(),
): Pick<Terminal, 'interrupted' | 'pause'> {
  const stop = new AbortController();
  let pauses = 0;
  return {
    interrupted: stop.signal,
    pause: async () => {
      if (++pauses < last) return meanwhile(pauses);
      stop.abort(new Error('interrupted'));
      stop.signal.throwIfAborted();
    },
  };
}

/** A terminal for tests that records its output. A pipe without colours by default. */
export function recordingTerminal(of: Partial<Terminal> = {}): RecordingTerminal {
  let out = '';
  let err = '';
  const opened: string[] = [];
  return {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    flush: () => Promise.resolve(),
    columns: undefined,
    outHasColour: false,
    errHasColour: false,
    errColumns: undefined,
    language: 'en',
    interrupted: new AbortController().signal,
    now: () => DAY_OF_TESTS,
    pause: () => Promise.resolve(),
    outliveOutput: () => undefined,
    readInput: () => Promise.resolve(''),
    openInBrowser: (url) => {
      opened.push(url);
    },
    opened,
    ...of,
    environment: withoutPrefix(of.environment ?? {}),
    written: () => ({ out, err }),
  };
}

/** Runs a command line on a recording terminal. */
export async function runRecorded(words: readonly string[], of: Partial<Terminal> = {}) {
  const terminal = recordingTerminal(of);
  const code = await runCommandLine(words, terminal);
  return { code, ...terminal.written(), opened: terminal.opened };
}
