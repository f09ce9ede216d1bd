import { afterEach, describe, expect, it } from 'vitest';
import { NIC, endService, serve } from '../../../test/registration/loopback-service.ts';
import { record, rootObject } from '../../../test/registration/loopback-world.ts';
import { asTheyCome } from '../../http/as-they-come.ts';

import { calendarOf } from './expiry-calendar.ts';

afterEach(endService);

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

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
    expect(json()).toEqual({
      domain,
      available,
      state,
      reason: expect.stringMatching(/\.$|nic\.example/) as string,
    });
  });

  it.each([
    ['Reserved by Registry\r\n', 200, 'reserved'],
    ['Invalid domain name\r\n', 200, 'invalid'],
    ['WHOIS LIMIT EXCEEDED\r\n', 503, 'registry_rate_limited'],
    ['<html>', 502, 'registry_unavailable'],
  ])('where the registry says %j: %i %s', async (text, status, word) => {
    const { get } = await serve({ whois: { [NIC]: text } });
    const answer = await get('/example.test/availability');
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(`"${word}"`);
    if (status === 200) expect(answer.json()).toMatchObject({ available: false });
  });

  it('shares the look-up with the other endpoints, and is as old as that', async () => {
    const { get, queries, advance } = await serve();
    for (const path of ['', '/availability', '/expiry.ics']) await get(`/example.test${path}`);
    await get('/-/probe?target=example.test');
    await get('/-/look-ups?names=example.test');
    expect(queries).toEqual(['root test', `${NIC} example.test`]);
    await get('/free.test/availability');
    advance(299);
    await get('/free.test/availability');
    expect(queries).toHaveLength(3);
    advance(2);
    await get('/free.test/availability');
    expect(queries).toHaveLength(4);
  });

  it('a name that is none is an error', async () => {
    const { get } = await serve();
    expect((await get('/a_b.test/availability')).status).toBe(400);
  });
});

describe('GET /-/look-ups', () => {
  it('answers a line for each name, as they come', async () => {
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

  it('each name is one request of the limit, and those over it say when to come back', async () => {
    const { get } = await serve({}, 4);
    const { status, text } = await get('/-/look-ups?names=a.test,b.test,c.test,d.test,e.test,f.test');
    expect(status).toBe(200);
    const refused = linesOf(text).filter(
      ({ error }) => (error as { code: string } | undefined)?.code === 'rate_limited',
    );
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ retryAfterSeconds: expect.any(Number) as number });
    expect((await get('/a.test')).status).toBe(429);
  });

  it('a hundred names are looked up, and one more is not', async () => {
    const { get } = await serve();
    const names = (count: number) => Array.from({ length: count }, (_, i) => `n${i}.test`).join(',');
    expect(linesOf((await get(`/-/look-ups?names=${names(100)}`)).text)).toHaveLength(100);
    expect((await get(`/-/look-ups?names=${names(101)}`)).json().error).toMatchObject({
      code: 'invalid_parameter',
    });
  });

  it.each(['', '?names=', '?names=a.test,,b.test', '?names=a.test&names=b.test', '?names=a.test&follow=x'])(
    '%j is refused',
    async (query) => {
      const { get } = await serve();
      const { status, json } = await get(`/-/look-ups${query}`);
      expect([status, json().error.code]).toEqual([400, 'invalid_parameter']);
    },
  );

  it('eight names are looked up at a time', async () => {
    const held: (() => void)[] = [];
    let eight: () => void = () => undefined;
    const areEight = new Promise<void>((done) => (eight = done));
    let isReleased = false;
    const { get } = await serve({
      settings: { concurrentPerRegistry: 50, timeoutMs: 60_000 },
      whois: {
        [NIC]: (name, socket) => {
          const answer = () => socket.end(record(name));
          if (isReleased) answer();
          else if (held.push(answer) === 8) eight();
        },
      },
    });
    const names = Array.from({ length: 20 }, (_, i) => `n${i}.test`);
    const asked = get(`/-/look-ups?names=${names.join(',')}`);
    await areEight;
    // A ninth would have set out with the others, and be here before these answers.
    for (let i = 0; i < 5; i++) await get('/livez');
    expect(held).toHaveLength(8);
    isReleased = true;
    for (const answer of held) answer();
    expect(linesOf((await asked).text)).toHaveLength(20);
  });

  it('are eight at a time, in the order in which they end', async () => {
    const ends: (() => void)[] = [];
    let underWay = 0;
    const found = asTheyCome([...Array(20).keys()], 8, async (number) => {
      underWay++;
      await new Promise<void>((done) => (ends[number] = done));
      underWay--;
      return number;
    });
    const first = found.next();
    expect(underWay).toBe(8);
    ends[5]?.();
    expect(await first).toEqual({ done: false, value: 5 });
    const second = found.next();
    expect(underWay).toBe(8);
    ends[0]?.();
    expect(await second).toEqual({ done: false, value: 0 });
    // Nobody reads any more: nothing further is asked.
    await found.return();
    expect(ends).toHaveLength(9);
  });
});

describe('GET /-/probe', () => {
  const metrics = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/^(\w+)\{domain="([^"]+)"\} (.+)$/gm)].map(([, name = '', , value]) => [
        name,
        Number(value),
      ]),
    );

  it('tells Prometheus how long a name is registered', async () => {
    const { get, advance } = await serve();
    const { status, headers, text } = await get('/-/probe?target=www.example.test');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const { domain_expiry_seconds: left = 0, ...rest } = metrics(text);
    expect(rest).toEqual({
      domain_lookup_success: 1,
      domain_lookup_duration_seconds: expect.any(Number) as number,
      domain_registered: 1,
      domain_expiry_timestamp_seconds: Date.UTC(2031, 1, 3, 4, 5, 6) / 1_000,
    });
    expect(text).toContain('domain_registered{domain="example.test"} 1');
    advance(100);
    const later = metrics((await get('/-/probe?target=example.test')).text)['domain_expiry_seconds'] ?? 0;
    expect(left - later).toBeGreaterThanOrEqual(100);
    for (const line of text.trim().split('\n')) {
      expect(line).toMatch(/^# HELP \w+ \S|^# TYPE \w+ gauge$|^\w+\{domain="[a-z.]+"\} -?[\d.e-]+$/);
    }
  });

  it('a free name is not registered and has no expiry; a registry out of reach is no success', async () => {
    const { get } = await serve();
    expect(metrics((await get('/-/probe?target=free.test')).text)).toMatchObject({
      domain_lookup_success: 1,
      domain_registered: 0,
    });
    expect((await get('/-/probe?target=free.test')).text).not.toContain('expiry');
    await endService();
    const broken = await serve({ whois: { [NIC]: '<html>' } });
    const { status, text } = await broken.get('/-/probe?target=example.test');
    expect([status, Object.keys(metrics(text))]).toEqual([
      200,
      ['domain_lookup_success', 'domain_lookup_duration_seconds'],
    ]);
    expect(metrics(text)['domain_lookup_success']).toBe(0);
  });

  it('needs a target that is a name', async () => {
    const { get } = await serve();
    expect((await get('/-/probe')).status).toBe(400);
    expect((await get('/-/probe?target=a_b.test')).status).toBe(400);
  });
});

describe('GET /:domain/expiry.ics', () => {
  it('is a calendar with the day and two reminders', async () => {
    const { get } = await serve();
    const { status, headers, text } = await get('/www.example.test/expiry.ics');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/calendar; charset=utf-8',
      expect.stringMatching(/^public, max-age=3[56]\d\d$/),
    ]);
    for (const line of [
      'BEGIN:VCALENDAR',
      'DTSTART;VALUE=DATE:20310203',
      'SUMMARY:example.test expires',
      'TRIGGER:-P30D',
      'TRIGGER:-P7D',
      'END:VCALENDAR',
    ]) {
      expect(text.split('\r\n')).toContain(line);
    }
    expect(text).not.toMatch(/[^\r]\n/);
  });

  it('there is none where the registry does not say when, or nobody holds the name', async () => {
    const text = record('example.test').replace(/Registry Expiry.*\r\n/, '');
    const { get } = await serve({
      whois: { [NIC]: (query, socket) => socket.end(query.startsWith('free') ? 'No match!!\r\n' : text) },
    });
    const unsaid = await get('/example.test/expiry.ics');
    expect([unsaid.status, unsaid.json().error.code]).toEqual([404, 'not_found']);
    const free = await get('/free.test/expiry.ics');
    expect([free.status, free.json().error.code]).toEqual([404, 'not_registered']);
  });

  it('a text of the registry cannot leave its line, and no line is longer than 75 bytes', () => {
    const registrar = `Evil\r\nEND:VCALENDAR; a,b\\c ${'長い名前'.repeat(20)}`;
    const text = calendarOf({ domain: 'example.test', expirationDate: '2031-02-03', registrar, storedAt: 0 });
    expect(text.match(/END:VCALENDAR$/gm)).toHaveLength(1);
    expect(text.replaceAll('\r\n ', '')).toContain('Evil END:VCALENDAR\\; a\\,b\\\\c 長い名前');
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text.split('\r\n').some((line) => Buffer.byteLength(line) >= 73)).toBe(true);
    expect(text).toContain('DTSTAMP:19700101T000000Z');
  });
});

describe('GET /-/about', () => {
  it('says which data are used, and of when they are', async () => {
    const { get } = await serve();
    expect((await get('/-/about')).json()).toMatchObject({
      source: 'sample',
      rdapBootstrap: { source: 'file', publication: '2026-11-01T00:00:00Z' },
      rootZone: { source: 'bundled', date: '2026-08-08' },
    });
  });
});

describe('query parameters without effect', () => {
  it('are named in the answer', async () => {
    const { get } = await serve();
    for (const path of ['/example.test', '/example.test/availability', '/-/about']) {
      expect((await get(`${path}?folow=registrar&x`)).json()).toMatchObject({ ignored: ['folow', 'x'] });
      expect((await get(path)).text).not.toContain('ignored');
    }
  });

  it('are named in a header where the answer is no JSON', async () => {
    const { get } = await serve();
    for (const path of [
      '/example.test/expiry.ics?',
      '/-/probe?target=example.test&',
      '/-/look-ups?names=example.test&',
    ]) {
      expect((await get(`${path}x%0d%0a=1&y=2`)).headers['x-ignored']).toBe('x%0D%0A, y');
    }
  });
});

describe('what browsers and robots ask every host for', () => {
  it('is not looked up', async () => {
    const { get, queries } = await serve();
    const icon = await get('/favicon.ico');
    expect([icon.status, icon.json().error.code]).toEqual([404, 'not_found']);
    const robots = await get('/robots.txt');
    expect([robots.status, robots.text.split('\n')[0]]).toEqual([200, 'User-agent: *']);
    expect(queries).toEqual([]);
  });
});
