import { canonicalQuery } from '../novels/search-query.ts';
import type { UserQuery } from '../novels/search-query.ts';
import type { ReportProblem, SearchPage, UserRecord } from '../catalogue-source.ts';
import { allCountOf, readCountedList } from './counted-list.ts';
import { readField, readUnknownField } from './field-values.ts';
import type { FieldKind, RawRecord } from './field-values.ts';
import { collectProblems } from './problems.ts';
import type { Problems } from './problems.ts';
import type { NarouTransport } from './transport.ts';

const PATH = '/userapi/api/';

/** What no matches look like here is not documented and was never recorded. */
const FORM = { emptyMeansNone: true };

const EXPECTED: Readonly<Record<string, FieldKind>> = {
  name: 'text',
  yomikata: 'text',
  novel_cnt: 'integer',
  review_cnt: 'integer',
  novel_length: 'integer',
  sum_global_point: 'integer',
};

/** The upstream gives the user id as a number (manual of userapi); a user record of ours has it as digits. */
function readUserid(value: unknown, problems: Problems): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  problems.note('mistyped_field', 'userid');
  return typeof value === 'string' && /^[0-9]+$/.test(value) ? value : undefined;
}

function readUser(raw: RawRecord, problems: Problems): UserRecord {
  const user: UserRecord = {};
  for (const name in raw) {
    if (name === '__proto__') continue;
    const kind = Object.hasOwn(EXPECTED, name) ? EXPECTED[name] : undefined;
    const value =
      name === 'userid'
        ? readUserid(raw[name], problems)
        : kind
          ? readField(raw[name], kind, name, problems)
          : readUnknownField(raw[name]);
    if (value !== undefined) user[name] = value;
  }
  for (const name of ['userid', ...Object.keys(EXPECTED)]) {
    if (!(name in raw)) problems.note('missing_field', name);
  }
  return user;
}

/** Authors and readers. `name1st` may be null or empty: its name does not begin with a hiragana when read. */
export function createUserapi(transport: NarouTransport, report: ReportProblem) {
  async function search(query: UserQuery): Promise<SearchPage<UserRecord>> {
    const problems = collectProblems('userapi', report);
    const reply = await transport.get(PATH, canonicalQuery({ ...query }));
    const list = readCountedList(reply, problems, FORM);
    const items = list.records.map((raw) => readUser(raw, problems));
    problems.flush();
    return { allCount: allCountOf(list, query), items };
  }

  async function find(userid: number): Promise<UserRecord | null> {
    const page = await search({ userid, lim: 1, st: 1 });
    return page.items.find((user) => user['userid'] === String(userid)) ?? null;
  }

  return { search, find };
}
