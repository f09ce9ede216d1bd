import { describe, expect, it } from 'vitest';
import { NIC, serve } from '../../../test/registration/loopback-service.ts';
import { record, rootObject } from '../../../../whois/test/loopback-world.ts';

interface Found {
  evidence?: unknown;
  error?: { details: { evidence?: unknown } };
}

describe('GET /:domain/availability', () => {
  const world = {
    root: {
      test: { refer: NIC },
      none: `${rootObject('none', '')}remarks:      Registration information: https://nic.example/\n`,
    },
  };

  it.each([
    ['example.test', false, 'registered'],
    ['www.Example.test', false, 'registered'],
    ['free.test', true, 'not_registered'],
    ['example.nowhere', false, 'unknown_tld'],
    ['example.none', null, 'no_registry_service'],
  ])('%s: %s, %s', async (domain, available, state) => {
    const { get } = await serve(world);
    const { status, json } = await get(`/${domain}/availability`);
    expect(status).toBe(200);
    // The result of the look-up itself.
    const result = JSON.parse((await get(`/${domain}`)).text) as Found;
    const answered = { evidence: result.evidence ?? result.error?.details.evidence ?? null };
    expect(json()).toEqual({
      domain,
      available,
      state,
      ...(state === 'registered' && { ending: 'none' }),
      reason: expect.stringMatching(/\.$|nic\.example/) as string,
      evidence: answered.evidence,
    });
  });

  it.each([
    ['Reserved by Registry', 'reserved', `${NIC} holds back example.test.`],
    ['Invalid domain name', 'invalid', 'The registry rejects example.test as a name.'],
  ])('is false, with the reason, for the registry text %j', async (line, state, reason) => {
    const { get } = await serve({ whois: { [NIC]: `${line}\r\n` } });
    const { status, json } = await get('/example.test/availability');
    const evidence = { kind: 'sentence', line };
    expect([status, json()]).toEqual([
      200,
      { domain: 'example.test', available: false, state, reason, evidence },
    ]);
  });

  it.each([
    ['WHOIS LIMIT EXCEEDED\r\n', 503, 'registry_rate_limited'],
    ['<html>', 502, 'registry_unavailable'],
  ])('is an error for the registry text %j: %i %s', async (text, status, word) => {
    const { get } = await serve({ whois: { [NIC]: text } });
    const answer = await get('/example.test/availability');
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(`"${word}"`);
  });

  it('is unknown for a public suffix that the registry lacks: nobody can register it', async () => {
    const { get } = await serve({
      root: { jp: { refer: NIC } },
      whois: {
        [NIC]: (query, socket) => socket.end(query === 'tokyo.jp' ? record(query) : 'No match!!\r\n'),
      },
    });
    for (const [name, state] of [
      ['co.jp', 'registry_unavailable'],
      ['chiyoda.tokyo.jp', 'registry_unavailable'],
      ['free.co.jp', 'not_registered'],
      ['tokyo.jp', 'registered'],
    ])
      expect((await get(`/${name}/availability`)).text).toContain(`"${state}"`);
    expect((await get('/co.jp')).text).toContain('it is a public suffix');
  });

  it('shares the look-up with the other endpoints, and is as old as that', async () => {
    const { get, queries, advance } = await serve();
    for (const path of ['', '/availability', '/expiry.ics']) await get(`/example.test${path}`);
    await get('/-/probe?target=example.test');
    await get('/-/look-ups?names=example.test');
    expect(queries).toEqual(['root test', `${NIC} example.test`]);
    await get('/free.test/availability');
    advance(299);
    expect((await get('/example.test/availability')).headers).toMatchObject({ age: '299' });
    expect((await get('/free.test/availability')).headers).toMatchObject({ age: '299' });
    expect(queries).toHaveLength(3);
    advance(2);
    await get('/free.test/availability');
    expect(queries).toHaveLength(4);
  });

  it('simultaneous requests for two names get the answer of each', async () => {
    const { get } = await serve();
    const names = ['example.test', 'free.test', 'other.test'];
    const answers = await Promise.all(names.map((name) => get(`/${name}/availability`)));
    expect(answers.map(({ json }) => json() as unknown)).toMatchObject([
      { domain: 'example.test', available: false },
      { domain: 'free.test', available: true },
      { domain: 'other.test', available: false },
    ]);
  });

  it('reserves the memory of its look-up once', async () => {
    const held: (() => void)[] = [];
    let hasAll = false;
    const { get, server } = await serve({
      whois: {
        [NIC]: (query, socket) => {
          held.push(() => socket.end(record(query)));
          if (hasAll) for (const answer of held.splice(0)) answer();
        },
      },
    });
    const names = Array.from({ length: 120 }, (_, at) => `name-${at}.test`);
    let requests = 0;
    server.on('request', () => {
      hasAll = ++requests === names.length;
      if (hasAll) setImmediate(() => held.splice(0).forEach((answer) => answer()));
    });
    const answers = await Promise.all(names.map((name) => get(`/${name}/availability`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('an invalid name is an error', async () => {
    const { get } = await serve();
    expect((await get('/a_b.test/availability')).status).toBe(400);
  });
});
