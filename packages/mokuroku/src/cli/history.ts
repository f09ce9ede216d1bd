import { RANKING_TYPES, findNcode } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import { HISTORY_PARAMETERS } from '@mokuroku/narou/queries';
import type {
  Answer,
  HistoryChoice,
  HistoryMeta,
  RankingHistories,
  RankingHistoryEntry,
} from 'mokuroku-client/source';
import { joinAnswers } from 'mokuroku-client/parts';
import { UsageError, defineCommand, option } from './command.ts';
import type { GivenOptions } from './command.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { EXAMPLE_NCODE, NCODE_WORD } from './novel.ts';
import { createProgress, writeAnswer } from './output.ts';
import { RANK } from './ranking.ts';
import { searchFrom } from './search-options.ts';
import { CATALOGUE_OPTIONS, openCatalogue, openView } from './service-options.ts';
import { countColumn, renderTable } from './table.ts';
import type { TableColumn } from './table.ts';
import { createStyle, note, warn } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { LABELS } from './labels.ts';
import { text } from '@mokuroku/kit';

interface DatedEntry {
  type: RankingType;
  /** In the form of this service: a weekly ranking is dated by its Monday. */
  date: string;
  rank: number;
  pt: number;
}

/** Entries by period, oldest first, without those of unknown periods. */
function datedEntries(history: readonly RankingHistoryEntry[]): DatedEntry[] {
  const sortKeyOf = ({ type, date }: DatedEntry) => `${RANKING_TYPES.indexOf(type)} ${date}`;
  return history
    .flatMap(({ type, date, rank, pt }) => (type && date ? [{ type, date, rank, pt }] : []))
    .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
}

const LIST: readonly TableColumn<DatedEntry>[] = [
  { header: text('Period', '期間'), value: ({ type }) => type },
  { header: LABELS.date, value: ({ date }) => date },
  RANK,
  countColumn(LABELS.points, ({ pt }) => pt, 1),
];

type HistoryArgs = GivenOptions<typeof ARGS>;

/** Histories of one or several novels; null for unknown ones. Fifty per request, one request after the other. */
async function find(
  ncodes: readonly string[],
  args: HistoryArgs,
  terminal: Terminal,
): Promise<Answer<RankingHistories>> {
  const { client, call } = openCatalogue(args, terminal);
  // Unparsed: the service validates them.
  const choice = searchFrom(HISTORY_PARAMETERS, args, []) as HistoryChoice;
  const [first = ''] = ncodes;
  if (ncodes.length === 1) {
    const answer = await client.rankingHistory(first, choice, call);
    return { ...answer, data: { [first]: answer.data } };
  }
  const progress = createProgress(terminal, Math.ceil(ncodes.length / 50));
  let histories: Answer<RankingHistories> | undefined;
  for await (const page of client.rankingHistoryPages(ncodes, choice, call)) {
    progress.step(Object.keys(page.data)[0] ?? '');
    histories = histories ? joinAnswers(histories, page, { ...histories.data, ...page.data }) : page;
  }
  progress.end();
  if (!histories) throw new UsageError('history needs <ncode>.', 'history には <ncode> が必要です。');
  return histories;
}

function show(
  answer: Answer<RankingHistories>,
  isOne: boolean,
  args: HistoryArgs,
  terminal: Terminal,
): ExitCode {
  const { type } = args;
  const histories = answer.data;
  const shown = Object.entries(histories).flatMap(([ncode, history]) =>
    history ? [{ ncode, history }] : [],
  );
  const { bold } = createStyle(terminal.outHasColour);
  const data = isOne
    ? shown[0]?.history
    : Object.fromEntries(shown.map(({ ncode, history }) => [ncode, history]));
  const records = shown.flatMap(({ ncode, history }) =>
    history.map((entry) => (isOne ? entry : { ncode, ...entry })),
  );
  const text = () =>
    shown
      .filter(({ history }) => history.length > 0)
      .map(({ ncode, history }) => {
        const table = renderTable(LIST, datedEntries(history), terminal);
        return isOne ? table : `${bold(ncode)}\n${table}`;
      })
      .join('\n');
  const header = [...(isOne ? [] : ['ncode']), 'rtype', 'rank', 'pt', 'type', 'date'];
  writeAnswer(terminal, args, { ...answer, data }, { records, header, text });
  const { missing: lacking, unreadable }: HistoryMeta = answer.meta;
  const [en, ja] = lacking || unreadable ? [', as far as is known', '（分かっている範囲で）'] : ['', ''];
  for (const { ncode, history } of shown) {
    if (history.length > 0) continue;
    note(
      terminal,
      `${ncode} never ranked${type ? ` in a ${type} ranking` : ''}${en}.`,
      `${ncode} が${type ?? ''}ランキングに入ったことは、まだありません${ja}。`,
    );
  }
  const missing = Object.keys(histories).filter((ncode) => histories[ncode] === null);
  for (const ncode of missing)
    warn(terminal, `There is no novel ${ncode}.`, `${ncode} という小説はありません。`);
  return missing.length > 0 ? EXIT.absent : EXIT.done;
}

const ARGS = {
  type: option(
    'period',
    'Only one period: daily, weekly, monthly or quarterly.',
    '1 つの期間だけ: daily、weekly、monthly、quarterly。',
  ),
  lim: option('n', 'Only the latest entries of each novel.', '小説ごとに、新しいほうからこの件数だけ。'),
  ...CATALOGUE_OPTIONS,
} as const;

export const historyCommand = defineCommand({
  word: { ...NCODE_WORD, isMany: true },
  args: ARGS,
  examples: [
    `mokuroku history ${EXAMPLE_NCODE}`,
    `mokuroku history ${EXAMPLE_NCODE} --type weekly --csv`,
    `mokuroku history ${EXAMPLE_NCODE} N0003TA --csv`,
  ],
  run: async (args, terminal, words) => {
    // Also of pasted addresses.
    const ncodes = words.map((word) => findNcode(word) ?? word);
    const isOne = ncodes.length === 1;
    if (args.web) {
      const view = isOne ? { ncode: ncodes[0] } : { compare: ncodes.join() };
      return openView('catalogue', args, view, terminal);
    }
    return show(await find(ncodes, args, terminal), isOne, args, terminal);
  },
});
