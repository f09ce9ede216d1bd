import { UsageError, defineCommand } from './command.ts';
import { csvRecord } from './csv.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { lookUpMany } from './look-up-many.ts';
import type { NameOutcome } from './look-up-many.ts';
import { formatOf } from './output.ts';
import { createProgress } from './progress.ts';
import { exitCodeOf } from './report-error.ts';
import { REGISTRATION_OPTIONS, registrationClient } from './service-options.ts';
import { createStyle } from './style.ts';
import { WHOIS_CSV_HEADER, writeMany, writeNow, writeOne } from './whois-output.ts';

/** Blank-separated names of standard input. */
async function readNames(): Promise<string[]> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk as string;
  return text.split(/\s+/).filter((name) => name !== '');
}

export const whoisCommand = defineCommand({
  name: 'whois',
  summary: 'Look up who registered domain names, and until when.',
  args: {
    name: {
      type: 'positional',
      required: true,
      description: 'Domain names; - reads them from standard input.',
    },
    registrar: { type: 'boolean', description: "Go one hop further, to the registrar's own server." },
    raw: { type: 'boolean', description: 'Print the text of the server as it is (one name only).' },
    ...REGISTRATION_OPTIONS,
  },
  takesMany: true,
  examples: [
    'mokuroku whois example.com',
    'mokuroku whois example.com example.jp free-name.org',
    'mokuroku whois - --csv < names.txt',
  ],
  run: async (args, terminal) => {
    const format = formatOf(args);
    const names = args._.length === 1 && args._[0] === '-' ? await readNames() : args._;
    if (names.length === 0) throw new UsageError('whois needs a name.');
    const isOne = names.length === 1;
    if (args.raw && !isOne) throw new UsageError('--raw shows one name only.');
    // Many names meet the limit of the service for sure: then waiting is what is wanted.
    const client = registrationClient({ ...args, wait: args.wait ?? !isOne }, terminal);
    const call = { signal: terminal.interrupted, ...(args.registrar && { follow: 'registrar' as const }) };

    const progress = createProgress(terminal, names.length);
    const outcomes: NameOutcome[] = [];
    if (format === 'csv') terminal.out(csvRecord(WHOIS_CSV_HEADER));
    for await (const outcome of lookUpMany(client, names, call)) {
      outcomes.push(outcome);
      progress.step(outcome.name);
      writeNow(outcome, format, terminal);
    }
    progress.end();
    const [first] = outcomes;
    if (format === 'table' && isOne && first) writeOne(first, args.raw ?? false, terminal);
    else if (format === 'table') writeMany(outcomes, terminal);
    if (outcomes.some(({ isSample }) => isSample)) {
      terminal.err(createStyle(terminal.errHasColour).dim('sample data: all of it is invented\n'));
    }
    return exitCodeOfAll(outcomes);
  },
});

/** The greatest of all, so that 0 means: every name is registered. */
function exitCodeOfAll(outcomes: readonly NameOutcome[]): ExitCode {
  return outcomes.reduce<ExitCode>((worst, { error }) => {
    const code = error ? exitCodeOf(error) : EXIT.done;
    return code > worst ? code : worst;
  }, EXIT.done);
}
