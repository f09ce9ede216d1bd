import type { HarvestConfig } from '../catalogue/harvest/config.ts';
import { HARVEST_CONFIG } from '../catalogue/harvest/config.ts';
import { harvest, harvestAndFollow } from '../catalogue/harvest/harvest.ts';
import type { HarvestSummary } from '../catalogue/harvest/harvest.ts';
import type { HarvestOptions } from '../catalogue/harvest/harvest-run.ts';
import { TooLittleCame } from '../catalogue/harvest/harvest-site.ts';
import { FolderInUse } from '../catalogue/harvest/lock-folder.ts';
import type { SourceProblem } from '../catalogue/catalogue-source.ts';
import { ServiceError } from '../errors.ts';
import { builtScript } from '../process/built-script.ts';
import { systemClock } from '../process/clock.ts';
import { ConfigError, readConfig } from '../process/config.ts';
import { createLogger } from '../process/logger.ts';
import type { Logger } from '../process/logger.ts';
import { UsageError, defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { createHarvestProgress } from './harvest-progress.ts';
import { wholeNumber } from './output.ts';
import { say } from './say.ts';
import { note } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { printable } from './text-width.ts';

function readHarvestConfig({ environment }: Terminal): HarvestConfig {
  try {
    return readConfig(HARVEST_CONFIG, environment);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}

/** Names each oddity of the upstream's answers once. */
function createProblemNotes(terminal: Terminal): (problem: SourceProblem) => void {
  const known = new Set<string>();
  return ({ upstream, problem, about, count }) => {
    const key = `${upstream}: ${problem} ${about}`;
    if (!known.has(key)) note(terminal, printable(`${key} (${count})`), 'yellow');
    known.add(key);
  };
}

/** What a harvest has to warn of, such as rankings that are broken on disk, each once. */
function createWarnings(terminal: Terminal): Logger {
  const known = new Set<string>();
  const write = (line: string): void => {
    const { msg, ...facts } = JSON.parse(line) as Record<string, unknown>;
    const told = Object.entries(facts).filter(([name]) => !['level', 'time', 'service'].includes(name));
    const text = `${String(msg)} ${JSON.stringify(Object.fromEntries(told))}`;
    if (!known.has(text)) note(terminal, printable(text), 'yellow');
    known.add(text);
  };
  return createLogger('harvest', 'warn', { write }).logger;
}

function writeSummary(terminal: Terminal, { sites, rankings }: HarvestSummary): void {
  for (const { site, ...counts } of sites) {
    const values = Object.fromEntries(
      Object.entries(counts).map(([name, value]) => [name, wholeNumber(value)]),
    );
    const text = say(
      terminal,
      '{novels} novels; the upstream counts {counted}; {missed} could not be had',
      values,
    );
    terminal.out(`${site}: ${text}\n`);
  }
  if (rankings) {
    const values = { rankings: wholeNumber(rankings.rankings), missed: wholeNumber(rankings.missed) };
    terminal.out(`rankings: ${say(terminal, '{rankings} rankings; {missed} could not be had', values)}\n`);
  }
}

const DISK_FAULTS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'ENOTDIR', 'EEXIST']);

/** An end that a person can do something about. Anything else is a bug, and thrown. */
function reportEnd(error: unknown, dir: string, terminal: Terminal): ExitCode {
  if (terminal.interrupted.aborted) {
    note(
      terminal,
      say(terminal, 'interrupted: what was fetched is kept, and the next run goes on from there'),
    );
    return EXIT.interrupted;
  }
  if (error instanceof FolderInUse) throw new UsageError(error.message);
  if (error instanceof ConfigError) throw new UsageError(error.message);
  if (error instanceof TooLittleCame) {
    terminal.err(`${error.message}\n`);
    return EXIT.unavailable;
  }
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof ServiceError) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    terminal.err(`${message}${cause}\n`);
  } else if (DISK_FAULTS.has(code)) {
    terminal.err(`${say(terminal, 'Nothing more can be written to {dir}:', { dir })} ${message}\n`);
  } else throw error;
  terminal.err(`${say(terminal, 'What was fetched is kept, and the next run goes on from there.')}\n`);
  return error instanceof ServiceError ? EXIT.unavailable : EXIT.failed;
}

export const harvestCommand = defineCommand({
  name: 'harvest',
  summary: 'Fetch the whole catalogue of the upstream into a folder, politely, to be served from there.',
  args: {
    dir: {
      type: 'string',
      description: 'Folder of the local catalogue; a harvest that was broken off goes on there.',
      valueHint: 'folder',
    },
    adult: {
      type: 'boolean',
      description: 'Adult novels too (metadata only; for readers of 18 and over).',
    },
    rankings: {
      type: 'boolean',
      description: 'All rankings since May 2013 too, of which histories are made (some 6,000 requests).',
    },
    follow: {
      type: 'boolean',
      description: 'Stay, and keep the folder as new as the upstream, rankings included.',
    },
  },
  examples: [
    'mokuroku harvest --dir /var/lib/mokuroku/catalogue',
    'mokuroku harvest --dir catalogue --follow',
    'NAROU_CONTACT=me@example.org HARVEST_SHARE_PERCENT=25 mokuroku harvest --dir catalogue',
  ],
  run: async (args, terminal) => {
    const { dir } = args;
    if (dir === undefined) throw new UsageError('harvest needs --dir: the folder of the local catalogue.');
    const config = readHarvestConfig(terminal);
    if (config.NAROU_CONTACT === undefined && config.NAROU_USER_AGENT === undefined) {
      note(
        terminal,
        say(terminal, 'NAROU_CONTACT is not set: the upstream is not told who asks, and may refuse'),
      );
    }
    const progress = createHarvestProgress(terminal);
    try {
      const options: HarvestOptions = {
        ...{ dir, config, adult: args.adult ?? false, rankings: args.rankings ?? false },
        clock: systemClock,
        wait: (milliseconds) => terminal.pause(milliseconds),
        random: Math.random,
        signal: terminal.interrupted,
        logger: createWarnings(terminal),
        report: createProblemNotes(terminal),
        buildScript: builtScript('build-worker'),
        onProgress: progress.show,
      };
      const summary = await (args.follow ? harvestAndFollow(options) : harvest(options));
      progress.end();
      writeSummary(terminal, summary);
      return EXIT.done;
    } catch (error) {
      progress.end();
      return reportEnd(error, dir, terminal);
    }
  },
});
