import { describe, expect, it } from 'vitest';
import { NIC, serve } from '../../../test/registration/loopback-service.ts';
import { record } from '../../../../whois/test/loopback-world.ts';
import { NOTHING_STATED } from 'mokuroku-whois/record';
import { calendarOf, expiryEvent } from './calendar-text.ts';

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

  it('has a name, its event and reminders in the language of lang', async () => {
    const { get } = await serve();
    const { text } = await get('/example.test/expiry.ics?lang=ja');
    expect(text).toContain('\r\nX-WR-CALNAME:ドメインの有効期限\r\n');
    expect(text).toContain('\r\nSUMMARY:example.test の有効期限\r\n');
    expect(text).toContain('\r\nDESCRIPTION:example.test の有効期限まで 7 日\r\n');
    const wrong = await get('/example.test/expiry.ics?lang=de');
    expect([wrong.status, wrong.json().error.code]).toEqual([400, 'invalid_parameter']);
  });

  it.each([
    ['Domain Status: redemptionPeriod', '20260101', 'example.test is deleted unless it is restored'],
    [
      'Domain Status: pendingDelete\r\nDelete date: 2026-01-09',
      '20260109',
      'example.test is about to be deleted',
    ],
    ['Delete date: 2030-12-01', '20301201', 'example.test expires'],
  ])('with %s has its entry on %s, which says so', async (line, day, summary) => {
    const { get } = await serve({ whois: { [NIC]: (query, socket) => socket.end(record(query, [line])) } });
    const { text } = await get('/example.test/expiry.ics');
    expect(text).toContain(`DTSTART;VALUE=DATE:${day}\r\n`);
    expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:${summary}`);
  });

  it('is fresh only as long as its look-up, and has its time', async () => {
    const { get, advance } = await serve();
    await get('/example.test');
    advance(3_000);
    const { headers, text } = await get('/example.test/expiry.ics');
    expect(headers['cache-control']).toMatch(/^public, max-age=(?:600|5\d\d)$/);
    expect(text).toMatch(/^DTSTAMP:20260101T0000\d\dZ$/m);
  });

  it('is not fresh if it is made of a stale look-up, because the registry fails', async () => {
    let isDown = false;
    const { get, advance } = await serve({
      whois: { [NIC]: (query, socket) => (isDown ? socket.destroy() : socket.end(record(query))) },
    });
    await get('/example.test/expiry.ics');
    isDown = true;
    advance(7_200);
    const { status, headers } = await get('/example.test/expiry.ics');
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=0']);
  });

  it('is an error if the registry publishes no expiry, or the name is not registered', async () => {
    const text = record('example.test').replace(/Registry Expiry.*\r\n/, '');
    const { get } = await serve({
      whois: { [NIC]: (query, socket) => socket.end(query.startsWith('free') ? 'No match!!\r\n' : text) },
    });
    const unsaid = await get('/example.test/expiry.ics');
    expect([unsaid.status, unsaid.json().error.code]).toEqual([404, 'not_found']);
    const free = await get('/free.test/expiry.ics');
    expect([free.status, free.json().error.code]).toEqual([404, 'not_registered']);
  });

  it('escapes text of the registry, and folds lines at 75 bytes', () => {
    const registrar = `Evil\r\nEND:VCALENDAR; a,b\\c ${'長い名前'.repeat(20)}`;
    const parsed = { ...NOTHING_STATED, expirationDate: '2031-02-03', registrar };
    const text = calendarOf([expiryEvent('example.test', { parsed, ending: null }, 0, 'en') ?? []], {
      language: 'en',
    });
    expect(text.match(/END:VCALENDAR$/gm)).toHaveLength(1);
    expect(text.replaceAll('\r\n ', '')).toContain('Evil END:VCALENDAR\\; a\\,b\\\\c 長い名前');
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text.split('\r\n').some((line) => Buffer.byteLength(line) >= 73)).toBe(true);
    expect(text).toContain('DTSTAMP:19700101T000000Z');
  });
});
