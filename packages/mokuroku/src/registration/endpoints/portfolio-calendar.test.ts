import { describe, expect, it } from 'vitest';
import { NIC, serve } from '../../../test/registration/loopback-service.ts';
import { record } from '../../../../whois/test/loopback-world.ts';

const UNDATED = record('undated.test').replace(/Registry Expiry.*\r\n/, '');
const WHOIS = {
  [NIC]: (name: string, socket: { end: (text: string) => unknown }) => {
    if (name.startsWith('free')) socket.end('No match!!\r\n');
    else if (name.startsWith('page')) socket.end('<html>');
    else socket.end(name === 'undated.test' ? UNDATED : record(name));
  },
};

describe('GET /-/expiry.ics', () => {
  it('is one calendar of all names, in their order, with one event for several spellings', async () => {
    const { get } = await serve();
    const { status, headers, text } = await get('/-/expiry.ics?names=b.test,www.a.test,b.test,A.test');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/calendar; charset=utf-8',
      'public, max-age=3600',
    ]);
    expect(text.match(/^UID:.*$/gm)).toEqual(['UID:expiry.b.test', 'UID:expiry.a.test']);
    expect(text.match(/^(?:BEGIN|END):VCALENDAR/gm)).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR']);
    expect(text).not.toContain('CALDESC');
  });

  it('has an event today for a name that is not registered, and lists names without a date', async () => {
    const { get } = await serve({ whois: WHOIS });
    const { headers, text } = await get(
      '/-/expiry.ics?names=a.test,free.test,undated.test,page.test,a_b.test',
    );
    expect(text.match(/^UID:.*$/gm)).toEqual(['UID:expiry.a.test', 'UID:free.free.test']);
    expect(text).toContain('DTSTART;VALUE=DATE:20260101\r\nSUMMARY:free.test is not registered\r\n');
    const missing = /^X-WR-CALDESC:(.*)$/m.exec(text.replaceAll('\r\n ', ''))?.[1];
    expect(missing).toMatch(
      /undated\.test: \S+ states no readable date\. page\.test: .*unreadable answer.* a_b\.test: /,
    );
    expect(headers['cache-control']).toBe('no-store');
    const oneMissing = await get('/-/expiry.ics?names=a.test,undated.test');
    expect(oneMissing.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['en', 'Domain expiries', 'a.test expires'],
    ['ja', 'ドメインの有効期限', 'a.test の有効期限'],
  ])('has a name and events in the language lang=%s', async (lang, name, summary) => {
    const { get } = await serve();
    const { text } = await get(`/-/expiry.ics?names=a.test&lang=${lang}`);
    expect(text).toContain(`\r\nX-WR-CALNAME:${name}\r\n`);
    expect(text).toContain(`\r\nSUMMARY:${summary}\r\n`);
  });

  it('has no control characters of a name', async () => {
    const { get } = await serve();
    const { text } = await get('/-/expiry.ics?names=a%07b.test,c%7f.test');
    expect(text).toContain('a b.test: ');
    expect(text).not.toMatch(/[^\r\n -~]/);
  });

  it('counts each name, and returns no partial calendar above the limit', async () => {
    const { get, queries } = await serve({}, 3);
    expect((await get('/-/expiry.ics?names=a.test,b.test,c.test')).status).toBe(200);
    expect(queries.length).toBeGreaterThan(0);
    const again = await serve({}, 3);
    await again.get('/-/expiry.ics');
    const { status, json } = await again.get('/-/expiry.ics?names=a.test,b.test,c.test');
    expect([status, json().error.code]).toEqual([429, 'rate_limited']);
    expect(again.queries).toEqual([]);
    again.advance(60);
    expect((await again.get('/-/expiry.ics?names=a.test,b.test,c.test')).status).toBe(200);
  });

  it('rejects more names than requests are allowed: waiting would not help', async () => {
    const { get } = await serve({}, 2);
    const { status, json } = await get('/-/expiry.ics?names=a.test,b.test,c.test');
    expect([status, json().error.code]).toEqual([400, 'invalid_parameter']);
    expect(json().error.message).toBe('Invalid names: 3 names, more than 2.');
  });

  it('requires names', async () => {
    const { get } = await serve();
    for (const query of ['', '?names=', '?names=a.test,,b.test', `?names=${'a.test,'.repeat(100)}b.test`]) {
      const { status, json } = await get(`/-/expiry.ics${query}`);
      expect([status, json().error.code]).toEqual([400, 'invalid_parameter']);
    }
  });
});
