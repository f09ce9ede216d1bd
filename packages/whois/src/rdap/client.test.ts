import type http from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { closeWorld, errorOf } from '../../test/opened-world.ts';
import { HOST, RECORD, openRdap } from '../../test/rdap-world.ts';

afterEach(closeWorld);

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
    for (const whois of [
      {},
      {
        'whois.nic.test':
          'Requests of this client are not permitted. Please use https://www.nic.example/whois/\r\n',
      },
      { 'whois.nic.test': '' },
    ]) {
      const { lookUp, close } = await openRdap((_, response) => response.end(JSON.stringify(RECORD)), {
        root,
        whois,
      });
      expect(await lookUp('example.test')).toMatchObject({ protocol: 'rdap', hops: { length: 3 } });
      await close();
    }
  });
});
describe('the response of an RDAP server becomes the right error', () => {
  it.each<[string, http.RequestListener, string]>([
    ['404', (_, response) => response.writeHead(404).end('{"errorCode":404}'), 'not_registered'],

    ['no JSON', (_, response) => response.end('hello'), 'registry_unavailable'],
    ['a connection cut in the head', (request) => request.socket.destroy(), 'registry_unavailable'],
    [
      'a connection cut in the body',
      (request, response) =>
        response.writeHead(200, { 'Content-Length': 100 }).write('{', () => request.socket.destroy()),
      'registry_unavailable',
    ],
    ['silence', () => undefined, 'registry_timeout'],
    [
      'headers and then silence',
      (_, response) => {
        response.writeHead(200).write('{');
      },
      'registry_timeout',
    ],
  ])('%s', async (_, answer, code) => {
    const timeoutMs = code === 'registry_timeout' ? 1_000 : 30_000;
    const { lookUp } = await openRdap(answer, { settings: { timeoutMs } });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code });
  });

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
    [400, {}, '', 'HTTP 400'],
    [400, {}, '{"errorCode":400,"title":"zone not supported"}', 'refused'],
    [403, {}, '', 'refused'],
    [405, {}, '', 'HTTP 405'],
    [410, {}, '', 'HTTP 410'],
    [451, {}, '', 'HTTP 451'],
    [500, {}, '{"errorCode":500,"title":"Not found"}', 'HTTP 500'],
    [502, {}, '<html>', 'HTTP 502'],
    [503, {}, '', 'HTTP 503'],
    [503, { 'Retry-After': '70' }, '', 'HTTP 503'],
  ])('%i is reported as it is', async (status, headers, body, outcome) => {
    const { lookUp } = await openRdap((_, response) => response.writeHead(status, headers).end(body));
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code: 'registry_unavailable', details: { hops: [{}, { outcome }] } });
    expect(error.message).toContain(`HTTP ${status}`);
  });

  it('503 with Retry-After pauses', async () => {
    const { lookUp, requests } = await openRdap((_, response) =>
      response.writeHead(503, { 'Retry-After': '70' }).end(),
    );
    expect(await errorOf(lookUp('example.test'))).toMatchObject({
      code: 'registry_unavailable',
      retryAfterSeconds: 70,
    });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({
      code: 'registry_rate_limited',
      retryAfterSeconds: 70,
    });
    expect(await errorOf(lookUp('second.test'))).toMatchObject({ retryAfterSeconds: 60 });
    expect(requests).toHaveLength(1);
  });

  it('a 404 of a gateway is no denial, and is shown', async () => {
    const raw = '{"message":"no Route matched with those values"}';
    const { lookUp } = await openRdap((_, response) => response.writeHead(404).end(raw));
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code: 'registry_unavailable' });
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
