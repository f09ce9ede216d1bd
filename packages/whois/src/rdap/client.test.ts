import type http from 'node:http';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { listOf } from '../../../../test/list-of.ts';
import { errorOf, listen } from '../../test/opened-world.ts';
import { HOST, RECORD, openRdap } from '../../test/rdap-world.ts';
import { MAX_REDIRECTS } from './client.ts';

describe('RDAP without WHOIS', () => {
  it('is queried for the name below the base of the bootstrap', async () => {
    const { lookUp, requests } = await openRdap((_, response) => response.end(JSON.stringify(RECORD)));
    const result = await lookUp('www.example.test');
    expect(result).toMatchObject({ protocol: 'rdap', whoisServer: HOST, raw: JSON.stringify(RECORD) });
    expect(result.parsed).toMatchObject({ domainName: 'example.test', status: ['ok'] });
    expect(requests).toEqual([`${HOST}/domain/example.test`]);
    expect(result).not.toHaveProperty('incomplete');
  });

  it('of which a field is unreadable makes the look-up name it', async () => {
    const odd = JSON.stringify({ ...RECORD, nameservers: [{ ldhName: 7 }] });
    const { lookUp } = await openRdap((_, response) => response.end(odd));
    expect(await lookUp('example.test')).toMatchObject({
      parsed: { nameServers: [] },
      incomplete: ['nameServers'],
    });
  });

  it('is queried if WHOIS is unreachable, refuses, or is truncated', async () => {
    const root = { test: { refer: 'whois.nic.test' } };
    const refusal =
      'Requests of this client are not permitted. Please use https://www.nic.example/whois/\r\n';
    for (const whois of [{}, { 'whois.nic.test': refusal }, { 'whois.nic.test': '' }]) {
      const { lookUp } = await openRdap((_, response) => response.end(JSON.stringify(RECORD)), {
        root,
        whois,
      });
      expect(await lookUp('example.test')).toMatchObject({ protocol: 'rdap', hops: { length: 3 } });
    }
  });
});

describe('the response of an RDAP server becomes the right error', () => {
  it('429 pauses for the time stated, without another request', async () => {
    const { lookUp, requests } = await openRdap((_, response) =>
      response.writeHead(429, { 'Retry-After': '40' }).end(),
    );
    expect(await errorOf(lookUp('example.test'))).toMatchObject({
      code: 'registry_rate_limited',
      retryAfterSeconds: 40,
    });
    expect(await errorOf(lookUp('other.test'))).toMatchObject({ code: 'registry_rate_limited' });
    expect(requests).toHaveLength(1);
  });

  it.each([
    [400, '', 'HTTP 400'],
    [400, '{"errorCode":400,"title":"zone not supported"}', 'refused'],
    [403, '', 'refused'],
    [405, '', 'HTTP 405'],
    [410, '', 'HTTP 410'],
    [451, '', 'HTTP 451'],
    [500, '{"errorCode":500,"title":"Not found"}', 'HTTP 500'],
    [502, '<html>', 'HTTP 502'],
    [503, '', 'HTTP 503'],
  ])('%i is reported as it is', async (status, body, outcome) => {
    const { lookUp } = await openRdap((_, response) => response.writeHead(status).end(body));
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code: 'registry_unavailable', details: { hops: [{}, { outcome }] } });
    expect(error.message).toContain(`HTTP ${status}`);
  });

  it('503 with Retry-After pauses', async () => {
    const { lookUp, requests } = await openRdap((_, response) =>
      response.writeHead(503, { 'Retry-After': '70' }).end(),
    );
    for (const [name, code, retryAfterSeconds, outcome] of [
      ['example.test', 'registry_unavailable', 70, 'HTTP 503'],
      ['example.test', 'registry_rate_limited', 70, 'paused'],
      ['second.test', 'registry_rate_limited', 60, 'paused'],
    ] as const) {
      const details = { hops: [{}, { outcome }] };
      expect(await errorOf(lookUp(name))).toMatchObject({ code, retryAfterSeconds, details });
    }
    expect(requests).toHaveLength(1);
  });

  it('a 404 of a gateway is no denial, and is shown', async () => {
    const raw = '{"message":"no Route matched with those values"}';
    const { lookUp } = await openRdap((_, response) => response.writeHead(404).end(raw));
    const error = await errorOf(lookUp('example.test'));
    // Its status is no denial, and the message does not mention it.
    expect(error).toMatchObject({
      code: 'registry_unavailable',
      message: 'The registry sent an unreadable answer.',
    });
    expect(error.details).toMatchObject({ raw, whoisServer: HOST, protocol: 'rdap' });
  });

  it('a 404 for a reserved name is a reservation', async () => {
    const body = { errorCode: 404, title: 'Not Found', description: ['Reserved by Registry'] };
    const { lookUp } = await openRdap((_, response) => response.writeHead(404).end(JSON.stringify(body)));
    expect(await lookUp('example.test')).toMatchObject({ state: 'reserved', raw: JSON.stringify(body) });
  });

  it.each<[string, string, boolean, string]>([
    ['that says so', 'Content-Length: 0\r\n', false, 'not_registered'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n0\r\n', false, 'not_registered'],
    ['that says nothing of its length', '', false, 'registry_unavailable'],
    ['in another transfer coding', 'Transfer-Encoding: gzip\r\n', false, 'registry_unavailable'],
    ['whose connection is reset', '', true, 'registry_unavailable'],
  ])('an empty 404 %s, from the server that the bootstrap lists', async (_, length, isReset, code) => {
    const { lookUp } = await openRdap(({ socket }) => {
      const head = `HTTP/1.1 404 Not Found\r\nConnection: close\r\n${length}\r\n`;
      if (isReset) socket.write(head, () => socket.resetAndDestroy());
      else socket.end(head);
    });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code });
  });

  it('a flood is disconnected long before memory fills', async () => {
    const chunk = Buffer.alloc(65_536, ' ');
    let sent = 0;
    const { lookUp } = await openRdap(
      (_, response) => {
        const pour = () => {
          while (sent < 200_000_000 && !response.destroyed) {
            sent += chunk.length;
            if (!response.write(chunk)) break;
          }
        };
        response.on('drain', pour);
        pour();
      },
      { settings: { timeoutMs: 10_000 } },
    );
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code: 'registry_unavailable' });
    expect(error).toHaveProperty('details.hops.1.outcome', 'too_large');
    expect(sent).toBeLessThan(20_000_000);
  });
});

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
      const { lookUp } = await openRdap(redirectTo(location));
      expect(await lookUp('example.test')).toMatchObject({ protocol: 'rdap', state: 'registered' });
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

  it.each([
    ['/error', 'registry_unavailable'],
    ['/domain/other.test', 'registry_unavailable'],
    ['/rdap/v2/domain/EXAMPLE.TEST/', 'not_registered'],
  ])('within the host proves "not found" only under the name: %s', async (location, code) => {
    const { lookUp } = await openRdap((request, response) => {
      if (request.url === '/domain/example.test') response.writeHead(302, { Location: location }).end();
      else response.writeHead(404).end('{"errorCode":404,"title":"Not Found"}');
    });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code });
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
