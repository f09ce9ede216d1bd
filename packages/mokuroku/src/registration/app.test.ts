import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { NIC, serve } from '../../test/registration/loopback-service.ts';
import { record } from '../../../whois/test/loopback-world.ts';
import { InvalidDomainDetails, NotRegisteredDetails } from './endpoints/look-up-error-schema.ts';
import { LookUpAnswer } from './endpoints/look-up-schema.ts';

interface EvidenceLine {
  kind: string;
  line: string;
}

interface StatedEvidence {
  evidence?: EvidenceLine;
  error?: { details: { evidence?: EvidenceLine; contradictions?: EvidenceLine[] } };
}

describe('GET /:domain', () => {
  it('returns exactly the published object', async () => {
    const { get } = await serve();
    const { status, headers, text } = await get('/example.test');
    expect(status).toBe(200);
    expect(LookUpAnswer.strict().parse(JSON.parse(text))).toMatchObject({
      domain: 'example.test',
      whoisServer: NIC,
      raw: record('example.test'),
      parsed: { domainName: 'example.test', nameServers: ['ns1.hosting.example', 'ns2.hosting.example'] },
      protocol: 'whois',
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'x-data': 'sample',
      'cache-control': 'public, max-age=3600',
      age: '0',
    });
  });

  it('echoes the name as each client wrote it, from one query and one cache entry', async () => {
    const { get, queries } = await serve();
    for (const given of [
      'example.test',
      'EXAMPLE.test.',
      'www.example.test',
      'example.test',
      'Example.TEST',
      // A URL that was requested before.
      'www.example.test',
      'www.example.test',
    ]) {
      const { json, headers } = await get(`/${given}`);
      expect(json().domain).toBe(given);
      expect(LookUpAnswer.strict().safeParse(json()).success).toBe(true);
      expect(headers['etag']).toMatch(/^W\//);
    }
    expect(queries).toEqual(['root test', `${NIC} example.test`]);
  });

  it('has the same error for a free name, however a client wrote it', async () => {
    const { get } = await serve();
    const [one, other] = [await get('/free.test'), await get('/FREE.test')];
    expect(one.json().error.code).toBe('not_registered');
    expect(other.text).toBe(one.text);
  });

  it('accepts names in Unicode, percent-encoded, and in punycode', async () => {
    const { get, queries } = await serve();
    expect((await get(`/${encodeURIComponent('見本.test')}`)).json().domain).toBe('見本.test');
    expect((await get('/xn--8pvz87e.test')).json().domain).toBe('xn--8pvz87e.test');
    expect(queries).toEqual(['root test', `${NIC} xn--8pvz87e.test`]);
  });

  it('caches the responses of registry and registrar separately', async () => {
    const { get, queries } = await serve({
      whois: {
        [NIC]: record('example.test', ['Registrar WHOIS Server: whois.registrar.test']),
        'whois.registrar.test': record('example.test', ['Reseller: Sample']),
      },
    });
    expect((await get('/example.test')).json().whoisServer).toBe(NIC);
    expect((await get('/example.test?follow=registrar')).json().whoisServer).toBe('whois.registrar.test');
    expect((await get('/example.test?follow=registry&x=1')).json().whoisServer).toBe(NIC);
    expect(queries).toHaveLength(4);
  });

  it.each([
    ['/a_b.test', 'invalid_domain', 400],
    ['/127.0.0.1', 'invalid_domain', 400],
    ['/-T%20dn.test', 'invalid_domain', 400],
    ['/example.test%0d%0aevil.test', 'invalid_domain', 400],
    ['/a%2Fb.test', 'invalid_domain', 400],
    [`/${'a'.repeat(300)}.test`, 'invalid_domain', 400],
    ['/example.test?follow=elsewhere', 'invalid_parameter', 400],
    ['/example.test?follow=registrar&follow=registrar', 'invalid_parameter', 400],
    ['/%ff', 'invalid_domain', 400],
    ['/example.nowhere', 'unknown_tld', 404],
    ['/free.test', 'not_registered', 404],
    ['/a/b', 'not_found', 404],
  ])('%s: %s', async (path, code, status) => {
    const { get } = await serve();
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.json().error).toMatchObject({ code, message: expect.any(String) as string });
    if (code === 'invalid_domain') InvalidDomainDetails.parse(answer.json().error.details);
    // A path that cannot be decoded names no domain.
    expect(JSON.stringify(answer.json())).not.toContain('\\u0000');
    if (code === 'not_registered') NotRegisteredDetails.strict().parse(answer.json().error.details);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('caching', () => {
  it('a registration is cached an hour, its absence five minutes', async () => {
    const { get, queries, advance } = await serve();
    const requestCount = () => queries.filter((query) => query.startsWith(NIC)).length;
    await get('/example.test');
    await get('/free.test');
    advance(299);
    expect((await get('/free.test')).headers['cache-control']).toBe('public, max-age=300');
    expect(requestCount()).toBe(2);
    advance(2);
    await get('/free.test');
    expect(requestCount()).toBe(3);
    advance(3_290);
    const cachedAnswer = await get('/example.test');
    expect(cachedAnswer.headers['age']).toBe('3591');
    expect(cachedAnswer.headers['cache-status']).toContain('hit');
    expect(requestCount()).toBe(3);
    advance(10);
    await get('/example.test');
    expect(requestCount()).toBe(4);
  });

  it("the ETag is the same while the registry's text is, and saves the body", async () => {
    const { get, advance } = await serve();
    const etag = String((await get('/example.test')).headers['etag']);
    advance(3_700);
    const again = await get('/example.test', { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('when the registry fails the stale response is served for a day, marked; failures are never cached', async () => {
    let answer = record('example.test');
    const { get, queries, advance } = await serve({ whois: { [NIC]: (_, socket) => socket.end(answer) } });
    await get('/example.test');
    answer = '';
    advance(3_601);
    const stale = await get('/example.test');
    expect(stale.status).toBe(200);
    expect(stale.headers['cache-status']).toContain('stale');
    expect(Number(stale.headers['age'])).toBeGreaterThan(3_600);
    expect((await get('/other.test')).status).toBe(502);
    expect((await get('/other.test')).status).toBe(502);
    expect(queries.filter((query) => query === `${NIC} other.test`)).toHaveLength(2);
    advance(86_400);
    expect((await get('/example.test')).status).toBe(502);
  });

  it('a truncated answer is returned once and not cached', async () => {
    const { get, queries } = await serve({
      whois: {
        [NIC]: (query, socket) =>
          socket.write(record(query).slice(0, 160), () => {
            setTimeout(() => Object.assign(socket, { resetAndClosing: true }).destroy(), 20);
          }),
      },
    });
    const { text, headers } = await get('/example.test');
    expect(LookUpAnswer.strict().parse(JSON.parse(text))).toMatchObject({ truncated: true });
    expect(headers['cache-status']).toBe('mokuroku-registration; fwd=miss');
    await get('/example.test');
    expect(queries.filter((query) => query.startsWith(NIC))).toHaveLength(2);
  });

  it('a truncated answer does not replace the response that is served if the next look-up fails', async () => {
    const answers: ((query: string, socket: Socket) => void)[] = [
      (query, socket) => socket.end(record(query)),
      (query, socket) =>
        socket.write(record(query).slice(0, 160), () => {
          setTimeout(() => Object.assign(socket, { resetAndClosing: true }).destroy(), 20);
        }),
      (_query, socket) => socket.destroy(),
    ];
    const { get, advance } = await serve({
      whois: { [NIC]: (query, socket) => answers.shift()?.(query, socket) },
    });
    await get('/example.test');
    advance(3_601);
    expect((await get('/example.test')).json()).toMatchObject({ truncated: true });
    const { status, json, headers } = await get('/example.test');
    expect([status, json().raw]).toEqual([200, record('example.test')]);
    expect(headers['cache-status']).toContain('stale-on-error');
  });
});

describe('limits', () => {
  it('a registry that throttles is a 503 with its Retry-After, without its text', async () => {
    const text =
      'The WHOIS query quota for 192.0.2.1 has been exceeded\r\nand will be replenished in 50 seconds\r\n';
    const { get } = await serve({ whois: { [NIC]: text } });
    const { status, headers, json, text: body } = await get('/example.test');
    expect([status, headers['retry-after'], json().error.code]).toEqual([503, '50', 'registry_rate_limited']);
    expect(body).not.toContain('192.0.2.1');
  });
});

describe('evidence', () => {
  it('is in every response: of a registered name, a free one, in availability and of an unreadable answer', async () => {
    const { get } = await serve({
      whois: {
        [NIC]: (name, socket) => {
          if (name.startsWith('free')) socket.end('No match!!\r\n');
          else socket.end(name.startsWith('odd') ? 'Zarbl blorg.\r\n' : record(name));
        },
      },
    });
    const read = async (path: string) => JSON.parse((await get(path)).text) as StatedEvidence;
    expect((await read('/example.test')).evidence?.kind).toBe('record');
    const sentence = { kind: 'sentence', line: 'No match!!' };
    expect((await read('/free.test')).error?.details.evidence).toEqual(sentence);
    expect((await read('/free.test/availability')).evidence).toEqual(sentence);
    expect((await read('/-/look-ups?names=free.test')).error?.details.evidence).toEqual(sentence);
    expect((await read('/odd.test')).error?.details.contradictions?.map(({ line }) => line)).toEqual([
      'Zarbl blorg.',
    ]);
  });
});

describe('a name that consists of words of registries', () => {
  it('pauses no server for other names', async () => {
    const { get } = await serve({
      whois: { [NIC]: (name, socket) => socket.end(`No match for "${name}".\r\n`) },
    });
    for (const name of ['quota-24-hours', 'my-quotation', 'excessive', 'timeout', 'other-free']) {
      expect([name, (await get(`/${name}.test`)).json().error.code]).toEqual([name, 'not_registered']);
    }
  });
});

describe('beside the endpoint', () => {
  it('the log names the hop that failed and the reason, and the response does not', async () => {
    const { get, lines } = await serve({
      root: { test: { refer: 'whois.evil.test' } },
      resolve: () => Promise.resolve(['10.0.0.1']),
    });
    const { text } = await get('/example.test');
    const hop = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ outcome }) => outcome === 'forbidden_address');
    expect(hop).toMatchObject({ server: 'whois.evil.test', role: 'registry', name: 'example.test' });
    expect(hop?.['reason']).toContain('10.0.0.1');
    expect(text).not.toContain('10.0.0.1');
  });

  it('an overlong name is rejected without a query, and truncated in the log', async () => {
    const { get, lines, queries } = await serve();
    const longest = await get(`/${'a'.repeat(8_000)}.test`);
    expect([longest.status, longest.json().error.code]).toEqual([400, 'invalid_domain']);
    expect(longest.text.length).toBeLessThan(500);
    const beyond = await get(`/?domain=${'a'.repeat(100_000)}`);
    expect([beyond.status, beyond.json().error.code]).toEqual([414, 'uri_too_long']);
    expect(queries).toEqual([]);
    expect(lines.every((line) => line.length < 1_000)).toBe(true);
    expect(lines.length).toBeGreaterThan(0);
  });
});
