import type http from 'node:http';
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { listOf } from '../../../../test/list-of.ts';
import { closeWorld, errorOf, listen } from '../../test/opened-world.ts';
import { HOST, RECORD, openRdap } from '../../test/rdap-world.ts';
import { MAX_REDIRECTS } from './client.ts';

afterEach(closeWorld);

const redirectTo =
  (location: string): http.RequestListener =>
  (request, response) => {
    if (request.headers.host === HOST && request.url === '/domain/example.test') {
      response.writeHead(302, { Location: location }).end();
    } else response.end(JSON.stringify(RECORD));
  };

describe('an RDAP redirect', () => {
  it('within the registry, or as the bootstrap has it, is followed', async () => {
    for (const location of [
      '/elsewhere',
      'http://rdap.other.test/domain/example.test',
      '//rdap.other.test/x#part',
    ]) {
      const { lookUp, close } = await openRdap(redirectTo(location));
      expect(await lookUp('example.test')).toMatchObject({ protocol: 'rdap', state: 'registered' });
      await close();
    }
  });

  it('to another host makes its "not found" prove nothing', async () => {
    const { lookUp } = await openRdap((request, response) => {
      if (request.headers.host === HOST)
        response.writeHead(302, { Location: 'http://rdap.other.test/' }).end();
      else response.writeHead(404).end();
    });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code: 'registry_unavailable' });
  });

  it.each(
    listOf(`
      http://127.0.0.2/ | http://[::1]/ | http://localhost/ | http://0x7f.2/ | http://2130706434/ |
      http://rdap.other.test:8080/ | https://rdap.other.test:8443/ | http://user@rdap.other.test/ |
      http://:secret@rdap.other.test/ | ftp://rdap.other.test/ | file:///etc/passwd | javascript:1 |
      http:// | /domain/example.test
    `),
  )('to %s is not followed', async (location) => {
    const { lookUp, requests } = await openRdap(redirectTo(location));
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code: 'registry_unavailable' });
    expect(error).toHaveProperty('details.hops.1.outcome', 'bad_answer');
    expect(requests).toHaveLength(1);
  });

  it.each([
    [MAX_REDIRECTS, 'registered'],
    [MAX_REDIRECTS + 1, 'registry_unavailable'],
  ])('is followed three times and no more (%i: %s)', async (redirects, outcome) => {
    let turn = 0;
    const { lookUp } = await openRdap((_, response) => {
      if (turn++ < redirects) response.writeHead(307, { Location: `/turn/${turn}` }).end();
      else response.end(JSON.stringify(RECORD));
    });
    const came = await lookUp('example.test').then(
      ({ state }) => state,
      (error: unknown) => (error as { code: string }).code,
    );
    expect([came, MAX_REDIRECTS]).toEqual([outcome, 3]);
  });

  it.each(['127.0.0.2', '::1', '::ffff:127.0.0.1', '0.0.0.0'])(
    'to a name that leads to %s causes no connection',
    async (address) => {
      let arrived = 0;
      const port = await listen(
        net.createServer(() => arrived++),
        '::',
      );
      const { lookUp } = await openRdap(redirectTo('http://rdap.evil.test/'), {
        hosts: { 'rdap.evil.test': { host: address, port } },
      });
      const error = await errorOf(lookUp('example.test'));
      expect(error).toMatchObject({ code: 'registry_unavailable' });
      expect(error).toHaveProperty('details.hops.1.outcome', 'forbidden_address');
      expect(arrived).toBe(0);
    },
  );
});
