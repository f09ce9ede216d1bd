import { z } from 'zod';
import { integerSchema, textSchema } from '../../http/documented-schemas.ts';
import type { Question } from '../../cache/cache-entry.ts';
import { ServiceError } from '../../errors.ts';
import type { ChangesQuery, ChangesPage } from '../source/catalogue-source.ts';
import { CHANGED_FIELDS, CHANGE_KINDS } from '../novels/change-kinds.ts';
import { ncodeList, wordList } from '../novels/code-parameters.ts';
import { EXAMPLES } from '../novels/examples.ts';
import { wholeNumber } from '../novels/parameter-kinds.ts';
import type { Parameter, ParameterValues } from '../novels/parameter.ts';
import { NOVEL_SEARCH_PARAMETERS } from '../novels/search-parameters.ts';
import { canonicalQuery } from '../novels/search-query.ts';
import { episodeEntry, novelEntry } from '../forms/novel-feed.ts';
import type { FeedReading } from '../forms/novel-feed.ts';
import type { AnswerToWrite, FormName } from './forms.ts';
import { LINES_A_REQUEST, createLineCounter } from './count-lines.ts';
import { defineEndpoint } from './endpoint.ts';
import type { EndpointServices } from './endpoint.ts';
import { questionOf } from './catalogue-answer.ts';

const DEFAULT_LIM = 100;

const CURSOR: Parameter<string> = {
  schema: z.string().regex(/^(now|[0-9a-f]{8}-\d{1,9}-\d{1,9})$/, 'not a cursor'),
  allowed: 'a cursor from `meta.next` or an event, or now',
  description:
    'Cursor to continue from: `meta.next` of the last response. `now`: no events, only the current cursor. Default: all events of the last two weeks.',
  example: 'now',
  published: { type: 'string', pattern: '^(now|[0-9a-f]{8}-[0-9]{1,9}-[0-9]{1,9})$' },
};

const { userid, genre, notgenre, biggenre, notbiggenre } = NOVEL_SEARCH_PARAMETERS;

const PARAMETERS = {
  since: CURSOR,
  lim: wholeNumber(1, 500, { description: 'Number of events.', byDefault: DEFAULT_LIM, example: 100 }),
  kind: wordList(CHANGE_KINDS, { description: 'Kinds of events to return.', example: 'episode' }),
  changed: wordList(CHANGED_FIELDS, {
    description: 'Only events with a change of one of these fields; `end` for completed novels.',
    example: 'end',
  }),
  ncode: ncodeList({ description: 'Ncodes, at most 500, separated by commas.', example: EXAMPLES.ncode }),
  userid,
  genre,
  notgenre,
  biggenre,
  notbiggenre,
};

const CHANGE = z
  .object({
    cursor: textSchema('Continues after this event, as `since`.', '9f3c2a10-7-12'),
    id: textSchema(
      'Permanent id of the event; for an episode made of Ncode, number and time.',
      'N8403VF/episode/85/20261120070000',
    ),
    kind: z.enum(CHANGE_KINDS).meta({
      description:
        '`new`, `episode` (one event for each), `rewritten` (text, synopsis, keywords, genre or state), `renamed`, `author_changed`, `withdrawn` (no longer returned: deleted, private or hidden from search), `restored` (withdrawn, then returned again).',
      example: 'episode',
    }),
    noticedAt: z.string().meta({
      format: 'date-time',
      description: 'When the catalogue recorded it, UTC.',
      example: '2026-11-20T22:10:00.000Z',
    }),
    ncode: textSchema('Ncode, upper case.', EXAMPLES.ncode),
    title: textSchema('Title; of a withdrawn novel the last known one.', EXAMPLES.title).optional(),
    userid: integerSchema('User id of the author.', EXAMPLES.userid).optional(),
    writer: textSchema('Pen name of the author.', EXAMPLES.writer).optional(),
    biggenre: integerSchema('Big genre.', 2).optional(),
    genre: integerSchema('Genre.', 201).optional(),
    general_all_no: integerSchema('Number of episodes. Unit: episodes.', 85).optional(),
    general_lastup: textSchema(
      'Publication of the latest episode, Japan time.',
      '2026-11-20 07:00:00',
    ).optional(),
    novelupdated_at: textSchema('Last change of the novel, Japan time.', '2026-11-20 07:00:03').optional(),
    episode: integerSchema('Of `episode`: its number.', 85).optional(),
    changed: z.array(z.enum(CHANGED_FIELDS)).meta({
      description:
        'The changed fields; empty for `new` and `withdrawn`. Each field is in one event: `end` in `rewritten`, also if the last episode came with it.',
      example: ['general_all_no'],
    }),
    before: z
      .partialRecord(z.enum(CHANGED_FIELDS), z.union([z.string(), z.number()]))
      .meta({ description: 'Their previous values.', example: { general_all_no: 84 } }),
  })
  .meta({ title: 'Change', description: 'A change of a novel.' });
export type Change = z.infer<typeof CHANGE>;

type ChangeValues = { query: ParameterValues<typeof PARAMETERS> };

const changesQueryOf = ({ query }: ChangeValues): ChangesQuery => ({
  ...query,
  lim: query.lim ?? DEFAULT_LIM,
});

/** Throws not_available_here if the source records no changes. */
function changesPage({ source }: EndpointServices, query: ChangesQuery): ChangesPage {
  if (source.changes !== undefined) return source.changes(query);
  throw new ServiceError('not_available_here', {
    message:
      'The live upstream records no changes; a local catalogue does (CATALOGUE_SOURCE=local). Search novels by lastup instead.',
  });
}

/** A page of events; `meta` has the cursor of the next page. A feed has the newest, which readers look for. */
function changesQuestion(services: EndpointServices, values: ChangeValues, form: FormName): Question {
  const query = { ...changesQueryOf(values), ...(form === 'atom' && { isNewestFirst: true }) };
  return questionOf(services, `changes?${canonicalQuery({ ...query })}`, () => {
    const { lines, total, next } = changesPage(services, query);
    const meta = { source: 'novelapi' as const, next, more: total > lines.length };
    return Promise.resolve({ data: Buffer.from(`[${lines.join(',')}]`), total, meta, from: [] });
  });
}

/** Events up to the present, page by page; at most `lim`, if given. The final line has the cursor after them. */
async function* streamChanges(
  services: EndpointServices,
  { query }: ChangeValues,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const countLines = createLineCounter(services, signal);
  let { since, lim: eventsLeft = Infinity } = query;
  for (;;) {
    const page = changesPage(services, { ...query, since, lim: Math.min(eventsLeft, LINES_A_REQUEST) });
    const { lines, total, next } = page;
    await countLines(lines.length);
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
    since = next;
    eventsLeft -= lines.length;
    const more = total > lines.length;
    if (more && eventsLeft > 0) continue;
    yield `${JSON.stringify({ meta: { source: 'novelapi', next, more } })}\n`;
    return;
  }
}

const TITLES: Readonly<Record<Change['kind'], string>> = {
  new: '新作',
  restored: '再公開',
  author_changed: '作者変更',
  renamed: '改題',
  episode: '最新話',
  rewritten: '改稿',
  withdrawn: '公開終了',
};

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
  return { ...entry, id: `changes/${id}`, updated, title: `${TITLES[kind]}: ${entry.title}` };
}

export const listChanges = defineEndpoint({
  summary: 'List changes',
  description:
    'Changes of novels after a cursor, oldest first: new novels and episodes, rewritten, renamed, with another author, withdrawn and restored. A feed has the newest, newest first. Events are kept for two weeks. On the live upstream 501: it needs a local catalogue. A cursor that is too old, ahead, or of another catalogue, is `cursor_expired`.',
  group: 'Novels',
  path: {},
  query: PARAMETERS,
  source: 'novelapi',
  isServedBy: ({ changes }) => changes !== undefined,
  data: z.array(CHANGE),
  meta: {
    next: textSchema('Cursor for the next request, also if there are no events.', '9f3c2a10-7-12'),
    more: z.boolean().meta({ description: 'Whether another page is ready.', example: false }),
  },
  errors: ['invalid_parameter', 'cursor_expired', 'not_available_here', 'catalogue_outdated'],
  question: (services, values, form) => ({
    ...changesQuestion(services, values, form),
    next: ({ meta }) =>
      form !== 'atom' && meta['more'] === true ? { since: String(meta['next']) } : undefined,
  }),
  forms: {
    csv: ({ data }) => ({ columns: Object.keys(CHANGE.shape), rows: data as object[] }),
    atom: ({ data, fetchedAt }: AnswerToWrite, { query }, { isSample }, origin) => ({
      title: '小説の更新',
      id: `changes?${canonicalQuery({ ...query, since: undefined, lim: undefined })}`,
      updated: fetchedAt,
      entries: newestOfEach(data as Change[]).map((change) =>
        changeEntry(change, { isAdult: false, isSample, origin }),
      ),
    }),
    linesDescription:
      'An event per line, each with its `cursor`: after a broken connection, continue after the last line received. The final line has `meta` with `next` and `more`.',
    ndjson: (values, services) => {
      const { since } = values.query;
      // Errors (no changes, an expired cursor) must come before the first line.
      const { total } = changesPage(services, { ...changesQueryOf(values), since, lim: 1 });
      return { total, lines: (signal) => streamChanges(services, values, signal) };
    },
  },
});
