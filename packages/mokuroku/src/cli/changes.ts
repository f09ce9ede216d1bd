import { MokurokuError } from 'mokuroku-client/source';
import type { Change, ChangesSearch } from 'mokuroku-client/source';
import { changePages } from 'mokuroku-client/parts';
import { ownValue } from '@mokuroku/kit';
import type { Language } from '@mokuroku/kit';
import { waitSeconds } from '@mokuroku/kit/requests';
import { CHANGE_NAMES, japanDateTime } from '@mokuroku/narou';
import { CHANGES_PARAMETERS } from '@mokuroku/narou/queries';
import { defineCommand, flag, option } from './command.ts';
import type { GivenOptions } from './command.ts';
import { DELIVERY_OPTIONS, DeliveryError, openReport } from './delivery.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { describeError } from './report-error.ts';
import { searchFrom, searchOptions } from './search-options.ts';
import { CATALOGUE_OPTIONS, openCatalogue } from './service-options.ts';
import { openStateFile } from './state-file.ts';
import { warn } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { pad, terminalText } from './text-width.ts';
import { LABELS } from './labels.ts';

const { wait, 'base-url': baseUrl } = CATALOGUE_OPTIONS;
const { kind, changed, ncode, userid, genre } = CHANGES_PARAMETERS;

const ARGS = {
  since: option(
    'cursor',
    'A cursor, or now (default: all events of the last two weeks).',
    'カーソルか now（既定: 過去 2 週間のすべて）。',
  ),
  cursor: option(
    'file',
    'File that has the cursor of the last printed or delivered event; the next run continues there.',
    '最後に出力または配信した変更のカーソルを保存するファイル。次回の実行はそこから続けます。',
  ),
  watch: flag(
    'Keep running and report each event as it comes.',
    '実行を続け、変更があるたびに出力または配信します。',
  ),
  json: flag('Print each event as a line of JSON.', '1 件を JSON 1 行で出力します。', LABELS.output),
  ...DELIVERY_OPTIONS,
  ...searchOptions({ kind, changed, ncode, userid, genre }),
  wait,
  'base-url': baseUrl,
} as const;

type Args = GivenOptions<typeof ARGS>;

const WATCH_PAUSE_MS = 30_000;
const PAGE = 500;

/**
 * The cursor after the last printed or delivered event, saved in a file if one is named, so that no event is missed
 * between two runs.
 */
function openCursor({ cursor: name, since }: Args) {
  const file = name === undefined ? undefined : openStateFile('--cursor', name);
  let cursor = file?.read()?.trim() || since;
  return {
    current: () => cursor,
    move: (next: string): void => {
      if (next === cursor) return;
      cursor = next;
      file?.write(`${next}\n`);
    },
  };
}

/** In Japan time, as the site shows it. */
function changeLine(event: Change, language: Language): string {
  const { kind, ncode, noticedAt, episode, title = '', before } = event;
  const number = episode === undefined ? '' : ` ${episode}`;
  const former =
    kind === 'renamed' || kind === 'author_changed' ? ` (${Object.values(before).join(', ')})` : '';
  const time = japanDateTime(Date.parse(noticedAt)).slice(0, 16);
  const name = ownValue(CHANGE_NAMES, kind)?.[language] ?? kind;
  const change = pad(`${name}${number}`, 12);
  return terminalText(`${time}  ${change}  ${ncode}  ${title}${former}`);
}

async function printChanges(args: Args, terminal: Terminal): Promise<ExitCode> {
  const { client, call } = openCatalogue(args, terminal);
  const cursor = openCursor(args);
  const report = openReport(args, terminal, {
    lineOf: (event: Change) => changeLine(event, terminal.language),
    isEndless: args.watch ?? false,
  });
  // Unparsed: the service validates them.
  const search = searchFrom(CHANGES_PARAMETERS, args, []) as ChangesSearch;
  const fetchPage = (since: string | undefined) => client.changes({ ...search, lim: PAGE, since }, call);
  for (;;) {
    let pauseMs = WATCH_PAUSE_MS;
    try {
      for await (const { data, meta } of changePages(fetchPage, cursor.current())) {
        for (const event of data) {
          await report(event);
          cursor.move(event.cursor);
        }
        cursor.move(meta.next);
      }
    } catch (error) {
      if (!(error instanceof MokurokuError)) throw error;
      if (error.code === 'cursor_expired') {
        const file = args.cursor;
        const [en, ja] =
          file === undefined ? ['', ''] : [` First delete ${file}.`, `先に ${file} を削除してください。`];
        warn(
          terminal,
          `Events after this cursor have expired: fetch what you need again, then continue with --since now.${en}`,
          `このカーソル以後の変更は期限切れです。必要なデータを取得し直し、--since now から続けてください。${ja}`,
        );
      }
      if (!args.watch || !error.retryable) throw error;
      terminal.err(describeError(error, terminal));
      pauseMs = Math.max(pauseMs, waitSeconds(error.retryAfterSeconds ?? 0) * 1000);
    }
    if (!args.watch) return EXIT.done;
    await terminal.pause(pauseMs);
  }
}

export const changesCommand = defineCommand({
  args: ARGS,
  examples: [
    'mokuroku changes --kind episode --ncode N8403VF,N0001TA',
    'mokuroku changes --changed end --genre 201',
    'mokuroku changes --watch --since now',
    'mokuroku changes --watch --json --cursor changes.cursor >> changes.ndjson',
    'mokuroku changes --watch --since now --cursor changes.cursor --post https://chat.example/hook',
  ],
  run: async (args, terminal) => {
    try {
      return await printChanges(args, terminal);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      warn(terminal, `Not delivered (${error.message}).`, `配信できませんでした（${error.message}）。`);
      return EXIT.unavailable;
    }
  },
});
