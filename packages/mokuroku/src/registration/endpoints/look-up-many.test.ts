import { describe, expect, it } from 'vitest';
import { stallClient } from '../../../test/http/stalled-client.ts';
import { NIC, serve } from '../../../test/registration/loopback-service.ts';
import { record } from '../../../../whois/test/loopback-world.ts';

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('GET /-/look-ups', () => {
  it('returns one line per name, as they complete', async () => {
    const { get } = await serve();
    const names = ['example.test', 'free.test', 'www.Other.test', 'a_b.test', 'example.test'];
    const { status, headers, text } = await get(`/-/look-ups?names=${names.join(',')}`);
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const lines = linesOf(text);
    expect(lines.map(({ domain }) => domain).sort()).toEqual([...names].sort());
    expect(lines.find(({ domain }) => domain === 'www.Other.test')).toMatchObject({
      whoisServer: NIC,
      parsed: { domainName: 'other.test' },
      hops: [{ role: 'root' }, { role: 'registry' }],
    });
    expect(lines.find(({ domain }) => domain === 'free.test')).toMatchObject({
      status: 404,
      error: { code: 'not_registered' },
    });
    expect(lines.find(({ domain }) => domain === 'a_b.test')).toMatchObject({
      error: { code: 'invalid_domain' },
    });
  });

  it('a name that fails is in the log with the id of the request', async () => {
    const { get, lines } = await serve({ whois: { [NIC]: (_query, socket) => socket.destroy() } });
    const { headers, text } = await get('/-/look-ups?names=example.test');
    expect(linesOf(text)).toMatchObject([{ status: 502, error: { code: 'registry_unavailable' } }]);
    const logged = lines.map((line) => JSON.parse(line) as { id?: string; code?: string });
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 40, id: headers['x-request-id'], code: 'registry_unavailable' }),
    );
  });

  it('queries the registrar too if requested', async () => {
    const { get } = await serve({
      whois: {
        [NIC]: record('example.test', ['Registrar WHOIS Server: whois.registrar.test']),
        'whois.registrar.test': record('example.test', ['Reseller: Sample']),
      },
    });
    const serverFor = async (more: string) =>
      linesOf((await get(`/-/look-ups?names=example.test${more}`)).text).map(
        ({ whoisServer }) => whoisServer,
      );
    expect(await serverFor('&follow=registrar')).toEqual(['whois.registrar.test']);
    expect(await serverFor('')).toEqual([NIC]);
  });

  it('a name behind the others proves their denials in a zone for which nobody names a server', async () => {
    const { get } = await serve({
      root: { com: { refer: NIC } },
      whois: {
        'whois.centralnic.com': (name, socket) =>
          socket.end(name === 'held.uk.com' ? record(name) : 'DOMAIN NOT FOUND'),
      },
    });
    const free = Array.from({ length: 9 }, (_, at) => `free${at}.uk.com`);
    const { text } = await get(`/-/look-ups?names=${[...free, 'held.uk.com'].join(',')}`);
    const denied = linesOf(text).filter(({ status }) => status === 404);
    expect(denied.map(({ domain }) => domain).sort()).toEqual(free);
  });

  it('a denial that no name behind it can prove is not queried twice', async () => {
    const queries: string[] = [];
    const { get } = await serve({
      root: { com: { refer: NIC } },
      whois: {
        'whois.centralnic.com': (name, socket) => {
          queries.push(name);
          socket.end('DOMAIN NOT FOUND');
        },
      },
    });
    const { text } = await get('/-/look-ups?names=free.uk.com,other.uk.com');
    expect(linesOf(text).map(({ status }) => status)).toEqual([502, 502]);
    expect(queries.filter((name) => name !== 'nic.uk.com').toSorted()).toEqual([
      'free.uk.com',
      'other.uk.com',
    ]);
  });

  it('accepts blanks around names, and reports only parameters without effect', async () => {
    const { get } = await serve();
    const { headers, text } = await get('/-/look-ups?names=a.test,%20b.test%20&follow=registry&more=1');
    expect(
      linesOf(text)
        .map(({ domain }) => domain)
        .sort(),
    ).toEqual(['a.test', 'b.test']);
    expect(headers['x-ignored']).toBe('more');
  });

  it('each name counts as one request, and those above the limit have Retry-After', async () => {
    const { get, advance } = await serve({}, 5);
    await get('/a.test');
    advance(20);
    const { status, text } = await get('/-/look-ups?names=a.test,b.test,c.test,d.test,e.test,f.test');
    expect(status).toBe(200);
    const refused = linesOf(text).filter(
      ({ error }) => (error as { code: string } | undefined)?.code === 'rate_limited',
    );
    expect(refused).toHaveLength(2);
    const { retryAfterSeconds } = refused[0] ?? {};
    expect(retryAfterSeconds).toBeGreaterThan(30);
    expect(retryAfterSeconds).toBeLessThanOrEqual(40);
    expect((await get('/a.test')).status).toBe(429);
  });

  it('waits for a slow reader, and closes its connection after the write timeout', async () => {
    const { server, get } = await serve({}, 0, 500);
    const names = Array.from({ length: 100 }, (_, i) => `n${i}.test`).join(',');
    const path = `/-/look-ups?names=${names}`;
    const { length } = (await get(path)).text;
    const times = Math.ceil(30_000_000 / length);
    const { mostBytesWaiting, bytesMade } = await stallClient(server, path, times);
    expect(mostBytesWaiting).toBeGreaterThan(0);
    expect(mostBytesWaiting).toBeLessThan(200_000);
    expect(bytesMade).toBeLessThan(15_000_000);
  });

  it('a hundred names are accepted, and no more', async () => {
    const { get } = await serve();
    const names = (count: number) => Array.from({ length: count }, (_, i) => `n${i}.test`).join(',');
    expect(linesOf((await get(`/-/look-ups?names=${names(100)}`)).text)).toHaveLength(100);
    expect((await get(`/-/look-ups?names=${names(101)}`)).json().error).toMatchObject({
      code: 'invalid_parameter',
    });
  });

  it('names may be repeated, as clients made from OpenAPI send lists', async () => {
    const { get } = await serve();
    const repeated = await get('/-/look-ups?names=a.test&names=b.test');
    expect(linesOf(repeated.text)).toHaveLength(2);
  });

  it.each(['', '?names=', '?names=a.test,,b.test', '?names=a.test&names=', '?names=a.test&follow=x'])(
    '%j is rejected',
    async (query) => {
      const { get } = await serve();
      const { status, json } = await get(`/-/look-ups${query}`);
      expect([status, json().error.code]).toEqual([400, 'invalid_parameter']);
    },
  );

  it('every fault is named, with the first 100 characters of a value', async () => {
    const { get } = await serve();
    const { json } = await get(`/-/look-ups?names=a.test,&follow=${'x'.repeat(101)}&x=%ff`);
    expect(json().error).toEqual({
      code: 'invalid_parameter',
      message: 'Invalid parameters: x, names, follow.',
      details: [
        {
          parameter: 'x',
          given: 'x=%ff',
          reason: 'broken percent-encoding',
          allowed: expect.any(String) as string,
        },
        {
          parameter: 'names',
          given: 'a.test,',
          reason: 'it is empty',
          allowed: expect.any(String) as string,
        },
        {
          parameter: 'follow',
          given: `${'x'.repeat(100)}...`,
          reason: 'unknown value',
          allowed: 'one of: registry, registrar',
          values: ['registry', 'registrar'],
        },
      ],
    });
  });

  it('eight names are looked up at a time', async () => {
    const heldReplies: (() => void)[] = [];
    let eight: () => void = () => undefined;
    const areEight = new Promise<void>((done) => (eight = done));
    let isReleased = false;
    const { get } = await serve({
      settings: { concurrentPerRegistry: 50, timeoutMs: 60_000 },
      whois: {
        [NIC]: (name, socket) => {
          const answer = () => socket.end(record(name));
          if (isReleased) answer();
          else if (heldReplies.push(answer) === 8) eight();
        },
      },
    });
    const names = Array.from({ length: 20 }, (_, i) => `n${i}.test`);
    const pending = get(`/-/look-ups?names=${names.join(',')}`);
    await areEight;
    // A ninth would have set out with the others, and be here before these answers.
    for (let i = 0; i < 5; i++) await get('/livez');
    expect(heldReplies).toHaveLength(8);
    isReleased = true;
    for (const answer of heldReplies) answer();
    expect(linesOf((await pending).text)).toHaveLength(20);
  });
});
