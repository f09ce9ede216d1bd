import { z } from 'zod';
import { textSchema } from '@mokuroku/kit/http';
import type { Question } from '@mokuroku/kit/cache';
import { ServiceError, text } from '@mokuroku/kit';
import type { ChangesPage } from '@mokuroku/narou/source';
import { CHANGE, CHANGES_PARAMETERS, DEFAULT_CHANGES, canonicalQuery } from '@mokuroku/narou/queries';
import type { Change, ChangesQuery, ChangesValues } from '@mokuroku/narou/queries';
import { titleOfQuestion } from '../forms/describe-conditions.ts';
import { episodeEntry, novelEntry } from '../forms/novel-feed.ts';
import type { FeedReading } from '../forms/atom.ts';
import type { AnswerToWrite, Content } from './forms.ts';
import { createLineThrottle } from './stream-lines.ts';
import { CHANGES } from './cache-policies.ts';
import { defineEndpoint } from './endpoint.ts';
import type { EndpointServices } from './endpoint.ts';
import { questionOf, BYTES_A_CHANGE } from './catalogue-answer.ts';
import type { Language } from '@mokuroku/kit';
import { CHANGE_NAMES, NOVEL_ERRORS } from '@mokuroku/narou';

type ChangeValues = { query: ChangesValues };

/** Throws not_available_here if the source records no changes. */
function changesPage({ source }: EndpointServices, query: ChangesQuery): ChangesPage {
  if (source.changes !== undefined) return source.changes(query);
  throw new ServiceError(NOVEL_ERRORS.not_available_here, {
    message:
      'The live upstream records no changes; a local catalogue does (CATALOGUE_SOURCE=local). Search novels by lastup instead.',
  });
}

/** A page of events; `meta` has the cursor of the next page. A feed has the newest, which readers look for. */
function changesQuestion(
  services: EndpointServices,
  { query: given }: ChangeValues,
  content: Content,
): Question {
  const { lim = DEFAULT_CHANGES } = given;
  const query = { ...given, lim, ...(content === 'feed' && { isNewestFirst: true }) };
  const key = `changes?${canonicalQuery({ ...query })}`;
  return questionOf(services, { key, memoryBytes: query.lim * BYTES_A_CHANGE }, () => {
    const { lines, total, next } = changesPage(services, query);
    const meta = { source: 'novelapi' as const, next, more: total > lines.length };
    return Promise.resolve({ data: Buffer.from(`[${lines.join(',')}]`), total, meta, from: [] });
  });
}

/** Events of a stream in memory, some 50 kB: as much as is counted for each stream. */
const EVENTS_AT_ONCE = 100;

/** Events up to the present, page by page; at most `lim`, if given. The final line has the cursor after them. */
async function* streamChanges(
  services: EndpointServices,
  { query }: ChangeValues,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const throttleLines = createLineThrottle(services, signal);
  let { since, lim: eventsLeft = Infinity } = query;
  for (;;) {
    const lim = Math.min(eventsLeft, EVENTS_AT_ONCE);
    // A stream that waits for its client's limit has no events in memory.
    await throttleLines(lim);
    const { lines, total, next } = changesPage(services, { ...query, since, lim });
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
    since = next;
    eventsLeft -= lines.length;
    const more = total > lines.length;
    if (more && eventsLeft > 0) continue;
    yield `${JSON.stringify({ meta: { source: 'novelapi', next, more } })}\n`;
    return;
  }
}

const CHANGES_TITLE = text('Changes of novels', '小説の更新');

/** The kinds, if the request names some, and the conditions that a search has too. */
function titleOfChanges(query: ChangeValues['query'], language: Language): string {
  const kinds = query.kind?.map((kind) => CHANGE_NAMES[kind][language]).join(' / ');
  const conditions = new URLSearchParams(canonicalQuery({ ...query }));
  return titleOfQuestion(kinds ?? CHANGES_TITLE[language], conditions, language);
}

/** The first of the events with the same id: an episode may appear again. */
function newestOfEach(changes: readonly Change[]): Change[] {
  const newest = new Map<string, Change>();
  for (const change of changes) if (!newest.has(change.id)) newest.set(change.id, change);
  return [...newest.values()];
}

function changeEntry(change: Change, reading: FeedReading) {
  const { id, kind, episode } = change;
  const entry =
    kind === 'episode'
      ? episodeEntry({ ...change, general_all_no: episode }, reading)
      : novelEntry(change, reading);
  const updated = kind === 'episode' ? entry.updated : Date.parse(change.noticedAt);
  return {
    ...entry,
    id: `changes/${id}`,
    updated,
    title: `${CHANGE_NAMES[kind][reading.language]}: ${entry.title}`,
  };
}

export const listChanges = defineEndpoint({
  name: 'listChanges',
  path: '/v1/changes',
  summary: text('List changes', '変更を一覧する'),
  description: text(
    'Changes of novels after a cursor, oldest first: new novels and episodes, rewritten, renamed, with another author, withdrawn and restored. A feed has the newest, newest first. Events are kept for two weeks. On the live upstream 501: it needs a local catalogue. A cursor that is too old, ahead, or of another catalogue, is `cursor_expired`.',
    'カーソルより後の小説の変更を、古い順に返します。新作、最新話、改稿、改題、作者変更、公開終了、再公開があります。フィードは最新のものを新しい順に返します。2 週間分を保持します。ローカルカタログが必要で、ライブの取得元では 501 を返します。古すぎるカーソル、先に進みすぎたカーソル、別のカタログのカーソルは `cursor_expired` になります。',
  ),
  cache: CHANGES,
  client: { method: 'changes' },
  // prettier-ignore
  examples: [
    { name: 'changesSince', query: { lim: '5' },
      title: text('List what changed', '変更を一覧表示する') },
  ],
  group: 'Novels',
  queryTable: CHANGES_PARAMETERS,
  source: 'novelapi',
  isServedBy: ({ changes }) => changes !== undefined,
  data: z.array(CHANGE),
  meta: {
    next: textSchema(
      'Cursor for the next request, also if there are no events.',
      '次のリクエストに使うカーソル。変更がなくても付きます。',
      '9f3c2a10-7-12',
    ),
    more: z
      .boolean()
      .meta({ en: 'Whether another page is ready.', ja: '続きのページがあるか。', example: false }),
  },
  errors: [
    'invalid_parameter',
    'cursor_expired',
    'not_available_here',
    'catalogue_outdated',
    'catalogue_unreadable',
  ],
  question: (services, values, content) => ({
    ...changesQuestion(services, values, content),
    next: ({ meta }) =>
      content !== 'feed' && meta['more'] === true ? { since: String(meta['next']) } : undefined,
  }),
  forms: {
    table: ({ data }) => ({ columns: Object.keys(CHANGE.shape), rows: data as object[] }),
    feed: ({ data, fetchedAt }: AnswerToWrite, { query }, reading) => ({
      title: titleOfChanges(query, reading.language),
      language: reading.language,
      id: `changes?${canonicalQuery({ ...query, since: undefined, lim: undefined })}`,
      updated: fetchedAt,
      entries: newestOfEach(data as Change[]).map((change) => changeEntry(change, reading)),
    }),
    linesDescription: text(
      'An event per line, each with its `cursor`: after a broken connection, continue after the last line received. The final line has `meta` with `next` and `more`.',
      '変更 1 件につき 1 行。接続が切れたら、最後に受け取った行の `cursor` から続けてください。最後の行は `next` と `more` のある `meta` です。',
    ),
    lines: (values, services) => {
      // Errors (no changes, an expired cursor) must come before the first line.
      const { total } = changesPage(services, { ...values.query, lim: 1 });
      return { total, lines: (signal) => streamChanges(services, values, signal) };
    },
  },
});
