import { describe, expect, it } from 'vitest';
import { SOURCES, serviceOn } from '../../../test/catalogue/three-sources.ts';

describe.each(SOURCES)('on %s', (source) => {
  const service = serviceOn(source);

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
