import {
  IndexTooLarge,
  IncompleteWalk,
  harvest,
  harvestAndFollow,
  readFreeBytes,
} from '@mokuroku/local-catalogue/harvest';
import type { HarvestOptions, HarvestSummary, SiteSummary } from '@mokuroku/local-catalogue/harvest';
import { ServiceError } from '@mokuroku/kit';
import { builtScript, systemClock, readConfig, createLogger, messageText } from '@mokuroku/kit/process';
import type { Logger } from '@mokuroku/kit/process';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { HARVEST_CONFIG } from './harvest-config.ts';
import { createHarvestProgress } from './harvest-progress.ts';
import { formatWholeNumber } from './output.ts';
import { countColumn, renderTable } from './table.ts';
import type { TableColumn } from './table.ts';
import { createStyle, note, say } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { terminalText } from './text-width.ts';

/** Prints each note once. */
function createNotePrinter(terminal: Terminal) {
  const { yellow } = createStyle(terminal.errHasColour);
  const shownKeys = new Set<string>();
  return (text: string, key = text): void => {
    if (!shownKeys.has(key)) terminal.err(`${yellow(terminalText(text))}\n`);
    shownKeys.add(key);
  };
}

/** Warnings of a harvest, such as damaged rankings on disk. */
function createWarnings(noteOnce: (text: string) => void): Logger {
  const write = (line: string): void => noteOnce(messageText(JSON.parse(line) as Record<string, unknown>));
  return createLogger('harvest', 'warn', { write }).logger;
}

const SITE_COLUMNS: TableColumn<SiteSummary>[] = [
  { header: { field: 'site' }, value: ({ site }) => site },
  countColumn({ field: 'had' }, ({ had }) => had),
  countColumn({ field: 'counted' }, (each) => each.counted),
  countColumn({ field: 'missing' }, ({ missing }) => missing),
  countColumn({ field: 'unreadable' }, ({ walk }) => walk.unreadable),
  countColumn({ field: 'doubled' }, ({ walk }) => walk.doubled, 3),
  countColumn({ field: 'requests' }, ({ walk }) => walk.requests, 2),
  countColumn({ field: 'bytes' }, ({ walk }) => walk.bytes, 1),
];

function writeSummary(terminal: Terminal, { sites, rankings }: HarvestSummary): void {
  const write = (what: string, en: string, ja: string) => terminal.out(`${what}: ${say(terminal, en, ja)}\n`);
  for (const { site, had, counted: there, missing: lost, walk } of sites) {
    const [novels, counted, missing] = [had, there, lost].map(formatWholeNumber);
    write(
      site,
      `${novels} novels fetched; the upstream counts ${counted}; ${missing} missing`,
      `${novels} 作品を取得。取得元の数では ${counted}、不足 ${missing}`,
    );
    for (const [field, count] of Object.entries(walk.fieldsMissing)) {
      const records = formatWholeNumber(count);
      write(`${site}, ${field}`, `missing from ${records} records`, `${records} 件のレコードにありません`);
    }
    for (const { ncode, reason } of walk.refused)
      terminal.out(`${site}, ${ncode}: ${terminalText(reason)}\n`);
  }
  if (rankings) {
    const [had, missed] = [rankings.rankings, rankings.missed].map(formatWholeNumber);
    write(
      'rankings',
      `${had} rankings; ${missed} unavailable`,
      `${had} 回分。取得できなかったもの ${missed}`,
    );
  }
  if (sites.length > 0) terminal.out(`\n${renderTable(SITE_COLUMNS, sites, terminal)}`);
}

/** An error that the operator can fix. Any other error is rethrown: a bug, or one with a remedy of every command. */
function reportEnd(error: unknown, dir: string, terminal: Terminal): ExitCode {
  if (terminal.interrupted.aborted) {
    note(
      terminal,
      'interrupted: fetched data are saved, and the next run resumes',
      '中断しました。取得済みのデータは保存されており、次回はそこから再開します',
    );
    return EXIT.interrupted;
  }
  if (error instanceof IncompleteWalk) {
    terminal.err(`${error.message}\n`);
    return EXIT.unavailable;
  }
  const { message, code } = error as NodeJS.ErrnoException;
  if (error instanceof ServiceError || error instanceof IndexTooLarge) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    terminal.err(`${message}${cause}\n`);
  } else if (error instanceof Error && 'syscall' in error && code !== 'EMFILE') {
    terminal.err(`${say(terminal, `Cannot write to ${dir}:`, `${dir} に書き込めません:`)} ${message}\n`);
  } else throw error;
  terminal.err(
    `${say(terminal, 'Fetched data are saved, and the next run resumes.', '取得済みのデータは保存されており、次回はそこから再開します。')}\n`,
  );
  return error instanceof ServiceError ? EXIT.unavailable : EXIT.failed;
}

interface HarvestArgs extends Pick<HarvestOptions, 'dir' | 'keptGenerations'> {
  adult?: boolean | undefined;
  rankings?: boolean | undefined;
  follow?: boolean | undefined;
}

export async function runHarvest(
  { dir, adult = false, rankings = false, follow, keptGenerations }: HarvestArgs,
  terminal: Terminal,
): Promise<ExitCode> {
  const config = readConfig(HARVEST_CONFIG, terminal.environment);
  if (config.NAROU_CONTACT === undefined) {
    note(
      terminal,
      'NAROU_CONTACT is not set: the upstream cannot see who sends requests, and may refuse them',
      'NAROU_CONTACT が未設定です。取得元に連絡先が伝わらず、拒否される可能性があります',
    );
  }
  terminal.outliveOutput();
  const progress = createHarvestProgress(terminal);
  const noteOnce = createNotePrinter(terminal);
  try {
    const options: HarvestOptions = {
      dir,
      config,
      adult,
      rankings,
      freeBytes: readFreeBytes,
      keptGenerations,
      clock: systemClock,
      wait: (milliseconds) => terminal.pause(milliseconds),
      random: Math.random,
      signal: terminal.interrupted,
      logger: createWarnings(noteOnce),
      report: ({ upstream, problem, about, count }) => {
        const oddity = `${upstream}: ${problem} ${about}`;
        noteOnce(`${oddity} (${count})`, oddity);
      },
      buildScript: builtScript('build-worker'),
      onProgress: progress.show,
    };
    const summary = await (follow ? harvestAndFollow(options) : harvest(options));
    progress.end();
    writeSummary(terminal, summary);
    return EXIT.done;
  } catch (error) {
    progress.end();
    return reportEnd(error, dir, terminal);
  }
}
