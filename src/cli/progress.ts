import { createStyle } from './style.ts';
import type { Terminal } from './terminal.ts';
import { printable, truncate } from './text-width.ts';

export interface Progress {
  /** One more is done. */
  step: (name: string) => void;
  /** Takes the line away. */
  end: () => void;
}

const ERASE_LINE = '\r\u001b[2K';
const MAX_NAME_COLUMNS = 40;

/** `12/120 example.jp` on one line of standard error, only where that is a terminal and there are several. */
export function createProgress(terminal: Terminal, total: number): Progress {
  if (!terminal.errIsTerminal || total < 2) return { step: () => undefined, end: () => undefined };
  const style = createStyle(terminal.errHasColour);
  let done = 0;
  return {
    step: (name) => {
      done++;
      terminal.err(ERASE_LINE + style.dim(`${done}/${total} ${truncate(printable(name), MAX_NAME_COLUMNS)}`));
    },
    end: () => {
      terminal.err(ERASE_LINE);
    },
  };
}
