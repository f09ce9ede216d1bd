import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchUsersByHand } from '../../../test/catalogue/search-by-hand.ts';
import type { SearchParameters } from '../../../test/catalogue/search-by-hand.ts';
import { USERAPI_ORDERS } from '../../../../narou/src/novels/orders.ts';
import { SOURCES, serviceOn } from '../../../test/catalogue/three-sources.ts';

describe.each(SOURCES)('on %s', (source) => {
  const service = serviceOn(source);

  const url = (requested: SearchParameters) => `/v1/users?${new URLSearchParams(requested).toString()}`;

  it('a search returns what a plain filter over the catalogue returns, userid as digits', async () => {
    const users = service.catalogue.users();
    const questions = fc.record(
      {
        word: fc.constantFrom(...users).map((user) => user.name.slice(0, 2)),
        userid: fc.constantFrom(...users).map((user) => String(user.userid)),
        notword: fc.constantFrom('しおり', '堂', 'ネ 文', '猫'),
        minnovel: fc.integer({ min: 0, max: 5 }).map(String),
        maxnovel: fc.integer({ min: 5, max: 30 }).map(String),
        minreview: fc.integer({ min: 0, max: 10 }).map(String),
        maxreview: fc.integer({ min: 10, max: 30 }).map(String),
        order: fc.constantFrom(...Object.keys(USERAPI_ORDERS)),
        name1st: fc.constantFrom('あ', 'か', 'き', 'し', 'は', 'ば', 'が', 'で', 'ん'),
        lim: fc.integer({ min: 1, max: 50 }).map(String),
        st: fc.integer({ min: 1, max: 1_200 }).map(String),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(questions, async (given) => {
        const { status, body } = await service.get(url(given));
        expect(status).toBe(200);
        const byHand = searchUsersByHand(users, given);
        expect(body.meta).toMatchObject({ source: 'userapi', upstreamAllCount: byHand.all });
        expect(body.data).toEqual(
          byHand.items.map((user) => ({
            ...user,
            userid: String(user.userid),
            name1st: user.name1st || null,
          })),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('the pages of a search lead to the last one', async () => {
    const userids: string[] = [];
    let path: string | undefined = '/v1/users?order=old&lim=500';
    for (let pages = 0; path !== undefined && pages < 9; pages++) {
      const { body, headers } = await service.get(path);
      userids.push(...(body.data as { userid: string }[]).map(({ userid }) => userid));
      const next = /^<(.+)>; rel="next"$/.exec(String(headers['link']))?.[1];
      path = next?.replace(service.base, '');
    }
    const users = service.catalogue.users();
    expect(userids.length).toBe(users.length);
    expect(new Set(userids).size).toBe(users.length);
  });

  it('`of` has no effect on a search, and is listed as ignored', async () => {
    const { body } = await service.get('/v1/users?of=t-n&lim=1');
    expect(body.meta.ignored).toEqual(['of']);
    expect(body.data).toHaveLength(1);
  });

  it.each([
    'userid=1,2',
    'name1st=%E3%81%82%E3%81%84',
    'lim=501',
    // Neither the sample nor a folder has a window.
    ...(source === 'upstream' ? ['st=2001'] : []),
  ])('%s is rejected', async (query) => {
    const { status, body } = await service.get(`/v1/users?${query}`);
    expect(status).toBe(400);
    expect(body.error.details[0]?.parameter).toBe(query.split('=')[0]);
  });

  it.each(['allcount', 'list'] as const)(
    'no match is an empty list, however the upstream says it (%s)',
    async (emptyUsers) => {
      service.upstream.switches.emptyUsers = emptyUsers;
      const { status, body } = await service.get(
        `/v1/users?word=${encodeURIComponent('存在しない')}${emptyUsers}`,
      );
      expect(status).toBe(200);
      expect(body).toMatchObject({ data: [], meta: { upstreamAllCount: 0 } });
    },
  );

  it('a user has a userid of digits and its counts', async () => {
    const [user] = service.catalogue.users().filter((each) => each.novel_cnt > 1 && each.name1st !== '');
    const { body } = await service.get(`/v1/users/${user?.userid ?? ''}`);
    expect(body.data).toEqual({ ...user, userid: String(user?.userid) });
    expect(body.meta.source).toBe('userapi');
  });

  it.each(['allcount', 'list'] as const)(
    'a user who does not exist is not found (upstream says: %s)',
    async (emptyUsers) => {
      service.upstream.switches.emptyUsers = emptyUsers;
      const { status, body } = await service.get(emptyUsers === 'list' ? '/v1/users/2' : '/v1/users/3');
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    },
  );

  it.each(['abc', '0', '-1', '1.5', '1,2', '99999999999', '%20', '1e3'])(
    '%s is not a user id',
    async (userid) => {
      const { status, body } = await service.get(`/v1/users/${userid}`);
      expect(status).toBe(400);
      expect(body.error.details[0]?.parameter).toBe('userid');
    },
  );
});
