import { RANKING_TYPES, fromRtype } from '../catalogue/novels/ranking-date.ts';
import { UsageError, defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { didYouMean } from './nearest.ts';
import { formatOf, noteCircumstances, writeJson, writeRecordsAsCsv } from './output.ts';
import { lastRanks, seriesOf } from './ranking-series.ts';
import type { DatedEntry, RankingSeries } from './ranking-series.ts';
import { CATALOGUE_OPTIONS, catalogueClient } from './service-options.ts';
import { sparkline } from './sparkline.ts';
import { createStyle } from './style.ts';
import type { Style } from './style.ts';
import { renderTable } from './table.ts';
import type { Column } from './table.ts';

const DEFAULT_COLUMNS = 80;
const LABEL_COLUMNS = 11;

/** One period: where it stands, and the line of its latest ranks under it. */
function renderSeries(series: RankingSeries, columns: number, style: Style): string {
  const { type, entries } = series;
  const last = entries.at(-1);
  const best = entries.reduce((a, b) => (b.rank < a.rank ? b : a));
  const ranks = lastRanks(series, columns - LABEL_COLUMNS);
  const span = ranks.length === 1 ? '' : ` ${ranks.length} rankings up to`;
  const head = `${String(entries.length)} times; best ${best.rank} (${best.date}); last ${last?.rank ?? '?'} (${last?.date ?? ''})`;
  const foot = style.dim(`${span} ${last?.date ?? ''}`.trim());
  return `${style.bold(type.padEnd(LABEL_COLUMNS))}${head}\n${' '.repeat(LABEL_COLUMNS)}${style.green(sparkline(ranks))}\n${' '.repeat(LABEL_COLUMNS)}${foot}\n`;
}

const LIST: readonly Column<DatedEntry>[] = [
  { header: 'PERIOD', value: ({ type }) => type },
  { header: 'DATE', value: ({ date }) => date },
  { header: 'RANK', value: ({ rank }) => String(rank), align: 'right' },
  { header: 'POINTS', value: ({ pt }) => pt.toLocaleString('en'), align: 'right' },
];

function checkType(type: string | undefined): void {
  if (type === undefined || RANKING_TYPES.some((known) => known === type)) return;
  throw new UsageError(
    `--type ${type}: one of ${RANKING_TYPES.join(', ')}.${didYouMean(type, RANKING_TYPES)}`,
  );
}

export const historyCommand = defineCommand({
  name: 'history',
  summary: "Draw a novel's ranks over time.",
  args: {
    ncode: {
      type: 'positional',
      required: true,
      description: 'Code of the novel, such as N8021JX, in any case.',
    },
    type: {
      type: 'string',
      description: `Only one period: ${RANKING_TYPES.join(', ')}.`,
      valueHint: 'period',
    },
    list: { type: 'boolean', description: 'List every ranking instead of drawing them.' },
    ...CATALOGUE_OPTIONS,
  },
  values: { type: RANKING_TYPES },
  examples: ['mokuroku history n8021jx', 'mokuroku history N8021JX --type weekly --csv'],
  run: async (args, terminal) => {
    const format = formatOf(args);
    checkType(args.type);
    const client = catalogueClient(args, terminal);
    const answer = await client.rankingHistory(args.ncode, { signal: terminal.interrupted });
    const isWanted = (type: string | undefined) => args.type === undefined || type === args.type;
    const series = seriesOf(answer.data).filter(({ type }) => isWanted(type));
    const entries = series.flatMap((each) => each.entries);
    const style = createStyle(terminal.outHasColour);
    if (format === 'json') {
      const data = answer.data.filter(({ rtype }) => isWanted(fromRtype(rtype)?.type));
      writeJson(terminal, { data, meta: answer.meta });
    } else if (format === 'csv') writeRecordsAsCsv(terminal, entries, ['type', 'date', 'rank', 'pt']);
    else if (args.list) terminal.out(renderTable(LIST, entries, terminal.columns, style));
    else {
      const columns = terminal.columns ?? DEFAULT_COLUMNS;
      terminal.out(series.map((each) => renderSeries(each, columns, style)).join('\n'));
    }
    noteCircumstances(terminal, answer);
    if (entries.length === 0) {
      const where = args.type === undefined ? 'any ranking' : `a ${args.type} ranking`;
      terminal.err(`${args.ncode.toUpperCase()} never stood in ${where}.\n`);
    }
    return EXIT.done;
  },
});
