import { readFreeBytes } from '../catalogue/harvest/disk-space.ts';
import { isExpected, pull, pullAndFollow } from '../catalogue/pull/pull.ts';
import type { PullOptions, PullProgress } from '../catalogue/pull/pull.ts';
import { SourceFailure } from '../catalogue/pull/web-folder.ts';
import { systemClock } from '../process/clock.ts';
import { describeFailure } from '../process/throttled-log.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { drawOver, progressBar, formatWholeNumber } from './output.ts';
import { say } from './say.ts';
import { note } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { terminalText } from './text-width.ts';

interface PullArgs extends Pick<PullOptions, 'from' | 'dir' | 'keptGenerations'> {
  follow: boolean;
}

/** With `--follow`, a lasting failure is reported again after this time. */
const REPEAT_AFTER_MS = 3_600_000;

const megabytes = (bytes: number): string =>
  `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

const DRAW_EVERY_MS = 100;

/** Redraws the progress on a terminal, a few times a second. */
function createPullProgress(terminal: Terminal): (progress: PullProgress) => void {
  let drawnAt = -Infinity;
  return ({ part, done, total }) => {
    const now = terminal.now();
    if (now - drawnAt < DRAW_EVERY_MS && done < total) return;
    drawnAt = now;
    drawOver(terminal, `${part}  ${progressBar(done / total)} ${megabytes(done)} / ${megabytes(total)}`);
  };
}

export async function runPull({ follow, ...args }: PullArgs, terminal: Terminal): Promise<ExitCode> {
  terminal.outliveOutput();
  const printedAt = new Map<string, number>();
  const printFailure = (error: Error): void => {
    const text = terminalText(describeFailure(error));
    if (terminal.now() - (printedAt.get(text) ?? -Infinity) < REPEAT_AFTER_MS) return;
    printedAt.set(text, terminal.now());
    drawOver(terminal, '');
    terminal.err(`${text}\n`);
  };
  const options: PullOptions = {
    ...args,
    freeBytes: readFreeBytes,
    clock: systemClock,
    wait: (milliseconds) => terminal.pause(milliseconds),
    random: Math.random,
    signal: terminal.interrupted,
    onProgress: createPullProgress(terminal),
    onPulled: ({ part, generation, fetched, files, bytes }) => {
      drawOver(terminal, '');
      const counts = { generation, fetched: formatWholeNumber(fetched), files: formatWholeNumber(files) };
      const values = { ...counts, size: megabytes(bytes) };
      const line = say(
        terminal,
        'generation {generation}: {fetched} of {files} files fetched, {size}',
        values,
      );
      terminal.out(`${part}: ${line}\n`);
    },
    onFailedDownload: printFailure,
  };
  try {
    const failures = await (follow ? pullAndFollow(options) : pull(options));
    for (const failure of failures) printFailure(failure);
    if (failures.length === 0) return EXIT.done;
    terminal.err(`${say(terminal, 'Fetched data are saved, and the next run resumes.')}\n`);
    return failures.every((failure) => failure instanceof SourceFailure) ? EXIT.unavailable : EXIT.failed;
  } catch (error) {
    drawOver(terminal, '');
    if (terminal.interrupted.aborted) {
      note(terminal, 'interrupted: fetched data are saved, and the next run resumes');
      return EXIT.interrupted;
    }
    if (!isExpected(error)) throw error;
    terminal.err(`${say(terminal, 'Cannot write to {dir}:', { dir: args.dir })} ${error.message}\n`);
    return EXIT.failed;
  }
}
