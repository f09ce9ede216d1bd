import type { Json } from '@mokuroku/kit';
import type { CatalogueSource, ReportProblem, UserRecord } from '../source/index.ts';
import type { OfField } from '../novels/of-fields.ts';
import type { UserQuery } from '../novels/search-query.ts';
import { canonicalQuery } from '../novels/search-query.ts';
import { isWithin } from '../scan/novel-conditions.ts';
import {
  collectProblems,
  eachOnce,
  readCountedList,
  readField,
  readText,
  withRest,
  withWitness,
} from './read-rows.ts';
import type { Problems } from './read-rows.ts';
import type { NarouTransport } from './transport.ts';

/**
 * Authors and readers. Manual: https://dev.syosetu.com/man/userapi/. `name1st` may be null or empty: the name's
 * reading does not begin with a hiragana.
 */
export function createUserapi(
  transport: NarouTransport,
  report: ReportProblem,
): CatalogueSource['searchUsers'] {
  const search: CatalogueSource['searchUsers'] = async (query, requester) => {
    const reply = await transport.get('/userapi/api/', canonicalQuery({ ...query }), requester);
    return collectProblems('userapi', report, (problems) => {
      // The form of a result without matches is undocumented and was never recorded.
      return readCountedList(reply, {
        ...query,
        emptyMeansNone: true,
        problems,
        read: (raw) => readUser(raw, problems),
        select: (users) => eachOnce(users, 'userid').filter((user) => !contradicts(user, query)),
      });
    });
  };
  return async (query, requester) => {
    const received = await search(query, requester).catch((failure: unknown) =>
      withRest(failure, query, 'userid', (rest) => search({ ...query, ...rest }, requester)),
    );
    const findAny = async () => {
      // The oldest, since copies of the upstream's data lag behind.
      const any = await search({ order: 'old', st: 1, lim: 1 }, requester);
      const [user] = any.items;
      // It has to find a listed user by the id, too.
      return query.userid === undefined || user === undefined
        ? any
        : search({ userid: Number(user['userid']), st: 1, lim: 1 }, requester);
    };
    const isOfAll = (query.word ?? query.notword) === undefined;
    const isMatch = (user: UserRecord) => isOfAll && !contradicts(user, query);
    return withWitness(received, findAny, isMatch);
  };
}

const isOutside = (count: unknown, min?: number, max?: number) =>
  typeof count === 'number' && !isWithin(count, { min, max });

/** The kana under which a name is filed, whether the upstream returns it voiced, small, plain or as katakana. */
const plainKana = (kana: string): string =>
  kana
    .normalize('NFD')
    .charAt(0)
    .replace(/[ァ-ヺ]/, (katakana) => String.fromCharCode(katakana.charCodeAt(0) - 0x60))
    .replace(/[ぁぃぅぇぉっゃゅょゎ]/, (small) => String.fromCharCode(small.charCodeAt(0) + 1));

/** Whether a field of a user contradicts the search. One that is missing contradicts nothing. */
const contradicts = (user: UserRecord, query: UserQuery): boolean =>
  (query.userid !== undefined && user['userid'] !== String(query.userid)) ||
  (query.name1st !== undefined &&
    user['name1st'] !== undefined &&
    plainKana((user['name1st'] as string | null) ?? '') !== plainKana(query.name1st)) ||
  isOutside(user['novel_cnt'], query.minnovel, query.maxnovel) ||
  isOutside(user['review_cnt'], query.minreview, query.maxreview);

const EXPECTED = new Map<string, OfField['type']>([
  ['name', 'string'],
  ['yomikata', 'string'],
  ['novel_cnt', 'integer'],
  ['review_cnt', 'integer'],
  ['novel_length', 'integer'],
  ['sum_global_point', 'integer'],
]);

/** The upstream sends the user id as a number (manual of userapi); a published record has it as digits. */
function readUserid(value: unknown, problems: Problems): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  problems.note('mistyped_field', 'userid');
  return typeof value === 'string' && /^[0-9]+$/.test(value) ? value : undefined;
}

function readUserValue(name: string, value: unknown, problems: Problems): unknown {
  if (name === 'userid') return readUserid(value, problems);
  if (name === 'name1st') return value === null ? null : readField(value, 'string', name, problems);
  const type = EXPECTED.get(name);
  if (type) return readField(value, type, name, problems);
  return typeof value === 'string' ? readText(value) : value;
}

/** Undefined without a user id. */
function readUser(raw: Json, problems: Problems): UserRecord | undefined {
  const user: UserRecord = {};
  for (const name in raw) {
    const value = name === '__proto__' ? undefined : readUserValue(name, raw[name], problems);
    if (value !== undefined) user[name] = value;
  }
  for (const name of EXPECTED.keys()) if (!(name in raw)) problems.note('missing_field', name);
  return user['userid'] === undefined ? undefined : user;
}
