import { describe, expect, it } from 'vitest';
import { startAnsweredSource, codeOf } from '../../test/narou-test-source.ts';
import { USER_RECORD, omit } from '../../test/invented-records.ts';
import { packed, plain } from '../../../../test/catalogue/loopback-upstream.ts';
import type { CatalogueSource } from '../source/index.ts';

/** Undefined if there is none. */
const findUser = async (source: CatalogueSource, userid: number) =>
  (await source.searchUsers({ userid, st: 1, lim: 1 })).items[0];

describe('a user', () => {
  it('has a userid of digits; all other fields are unchanged', async () => {
    const { source } = await startAnsweredSource([{ allcount: 1 }, USER_RECORD]);
    const page = await source.searchUsers({ lim: 20, st: 1, name1st: 'し' });
    expect(page.items).toEqual([{ ...USER_RECORD, userid: '904112', name: '汐見あかり/しおみ&' }]);
    expect(Object.keys(page.items[0] ?? {})).toEqual(Object.keys(USER_RECORD));
  });

  it.each([null, ''])('may have name1st %o', async (name1st) => {
    const { source, problems } = await startAnsweredSource([{ allcount: 1 }, { ...USER_RECORD, name1st }]);
    expect(await findUser(source, 904_112)).toMatchObject({ name1st });
    expect(problems).toEqual([]);
  });

  it('has no name1st that is neither text nor null', async () => {
    const { source, problems } = await startAnsweredSource([
      { allcount: 1 },
      { ...USER_RECORD, name1st: [7] },
    ]);
    expect(await findUser(source, 904_112)).not.toHaveProperty('name1st');
    expect(problems).toMatchObject([{ problem: 'mistyped_field', about: 'name1st' }]);
  });

  it('is a row with a field of a user; any other row is unreadable', async () => {
    const { source } = await startAnsweredSource([{ allcount: 2 }, USER_RECORD, { memo: 'x' }]);
    const { items, unreadable } = await source.searchUsers({ lim: 20, st: 1 });
    expect([items.map(({ userid }) => userid), unreadable]).toEqual([['904112'], 1]);
  });

  it.each([1.5, 1e300, '12a', '', null])('is no row with the userid %o', async (userid) => {
    const { source } = await startAnsweredSource([{ allcount: 2 }, USER_RECORD, { ...USER_RECORD, userid }]);
    const { items, unreadable } = await source.searchUsers({ lim: 20, st: 1 });
    expect([items.map((each) => each['userid']), unreadable]).toEqual([['904112'], 1]);
  });

  it('may have its userid as digits, and lack a field: both are reported', async () => {
    const user = { ...omit(USER_RECORD, 'novel_length'), userid: '904112' };
    const { source, problems } = await startAnsweredSource([{ allcount: 1 }, user]);
    expect(await findUser(source, 904_112)).toMatchObject({ userid: '904112' });
    expect(problems.map(({ problem, about }) => [problem, about])).toEqual([
      ['mistyped_field', 'userid'],
      ['missing_field', 'novel_length'],
    ]);
  });

  it('is left out if it contradicts the search, or comes again', async () => {
    const users = Array.from({ length: 20 }, (_, index) => ({
      ...USER_RECORD,
      userid: index + 1,
      novel_cnt: 5,
    }));
    const { source } = await startAnsweredSource([{ allcount: 20 }, ...users, users[19]]);
    const again = await source.searchUsers({ lim: 500, st: 1, minnovel: 5 });
    expect([again.items.length, again.unreadable, again.allCount]).toEqual([20, 1, 20]);
    const { source: other } = await startAnsweredSource([
      { allcount: 20 },
      ...users.with(3, { ...USER_RECORD, novel_cnt: 4 }),
    ]);
    const fewer = await other.searchUsers({ lim: 500, st: 1, minnovel: 5 });
    expect([fewer.items.length, fewer.unreadable]).toEqual([19, 1]);
    expect(await codeOf(other.searchUsers({ lim: 500, st: 1, maxnovel: 4 }))).toBe('upstream_invalid');
  });

  it.each(['あ', null, ''])('of another kana than the requested one is left out: %o', async (name1st) => {
    const users = Array.from({ length: 20 }, (_, index) => ({ ...USER_RECORD, userid: index + 1 }));
    const rows = [{ ...users[0], name1st: 'じ' }, { ...users[1], name1st }, ...users.slice(2)];
    const { source } = await startAnsweredSource([{ allcount: 20 }, ...rows]);
    const { items, unreadable } = await source.searchUsers({ lim: 20, st: 1, name1st: 'し' });
    expect([items.length, unreadable]).toEqual([19, 1]);
  });

  it.each([
    ['し', 'し'],
    ['し', 'じ'],
    ['し', 'シ'],
    ['し', 'ジ'],
    ['や', 'ゃ'],
    ['や', 'ャ'],
    ['し', undefined],
  ])('of the requested kana may have it in any form, or lack it: %s, %s', async (asked, name1st) => {
    const { source } = await startAnsweredSource([{ allcount: 1 }, { ...USER_RECORD, name1st }]);
    expect((await source.searchUsers({ lim: 20, st: 1, name1st: asked })).items).toHaveLength(1);
  });

  it('does not get another prototype from a field of that name', async () => {
    const { source } = await startAnsweredSource(
      plain('[{"allcount":1},{"userid":7,"name":"a","__proto__":{"admin":1}}]'),
    );
    const user = await findUser(source, 7);
    expect(Object.getPrototypeOf(user)).toBe(Object.prototype);
  });

  it.each(['[]', '[{"allcount":0}]'])('who does not exist may be reported as %s', async (text) => {
    const anyone = packed([{ allcount: 1 }, USER_RECORD]);
    const { source, upstream } = await startAnsweredSource((request, response) =>
      (request.query.get('userid') === '7' ? plain(text) : anyone)(request, response),
    );
    expect(await findUser(source, 7)).toBeUndefined();
    expect(upstream.seen.map(({ query }) => [query.get('order'), query.get('userid')])).toEqual([
      [null, '7'],
      ['old', null],
      [null, String(USER_RECORD.userid)],
    ]);
  });

  it('is not denied by an upstream that finds nobody by an id', async () => {
    const anyone = packed([{ allcount: 1 }, USER_RECORD]);
    const { source } = await startAnsweredSource((request, response) =>
      (request.query.has('userid') ? plain('[{"allcount":0}]') : anyone)(request, response),
    );
    expect(await codeOf(findUser(source, 7))).toBe('upstream_invalid');
  });

  it.each(['[]', '[{"allcount":0}]'])(
    'is not denied by an upstream that says %s to everything',
    async (text) => {
      const { source } = await startAnsweredSource(plain(text));
      expect(await codeOf(findUser(source, 7))).toBe('upstream_invalid');
    },
  );

  it('other than the requested one is not returned, and not read as an absence', async () => {
    const { source } = await startAnsweredSource([{ allcount: 1 }, USER_RECORD]);
    expect(await codeOf(findUser(source, 7))).toBe('upstream_invalid');
  });

  it.each(['[{"allcount":1}]', '[{"allcount":1},{"memo":"x"}]', '[{"memo":"x"}]'])(
    'is not reported as absent by %s',
    async (text) => {
      const { source } = await startAnsweredSource(plain(text));
      expect(await codeOf(findUser(source, 904_112))).toBe('upstream_invalid');
    },
  );
});
