import { describe, expect, it } from 'vitest';
import { NIC, serve } from '../../../test/registration/loopback-service.ts';
import { record, rootObject } from '../../../../whois/test/loopback-world.ts';

describe('GET /-/probe', () => {
  const metrics = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/^(\w+)\{domain="([^"]+)"\} (.+)$/gm)].map(([, name = '', , value]) => [
        name,
        Number(value),
      ]),
    );

  it('exposes the expiry of a name for Prometheus', async () => {
    const { get, advance } = await serve();
    const { status, headers, text } = await get('/-/probe?target=www.example.test');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const { domain_expiry_seconds: left = 0, ...rest } = metrics(text);
    expect(rest).toEqual({
      domain_lookup_success: 1,
      domain_lookup_duration_seconds: expect.any(Number) as number,
      domain_registered: 1,
      domain_expiry_timestamp_seconds: Date.UTC(2031, 1, 3, 4, 5, 6) / 1_000,
      domain_expiry_days: 1859,
    });
    expect(text).toContain('domain_registered{domain="example.test"} 1');
    advance(100);
    const later = metrics((await get('/-/probe?target=example.test')).text)['domain_expiry_seconds'] ?? 0;
    expect(left - later).toBeGreaterThanOrEqual(100);
    for (const line of text.trim().split(/\n+/)) {
      expect(line).toMatch(
        /^# HELP \w+ \S|^# TYPE \w+ gauge$|^\w+\{domain="[a-z.]+"(?:,(?:ending|status)="\w+")?\} -?[\d.e-]+$/,
      );
    }
  });

  it('exposes each status, and how a name ends whose expiry looks healthy', async () => {
    const statuses = [
      'Domain Status: redemptionPeriod',
      'Domain Status: pendingDelete',
      'Domain Status: a "word"',
    ];
    const { get } = await serve({ whois: { [NIC]: (query, socket) => socket.end(record(query, statuses)) } });
    const { text } = await get('/-/probe?target=example.test');
    expect(metrics(text)['domain_expiry_days']).toBeGreaterThan(300);
    expect(text).toContain('domain_ending{domain="example.test",ending="redemption"} 1\n');
    for (const status of ['ok', 'redemptionPeriod', 'pendingDelete', 'a \\"word\\"'])
      expect(text).toContain(`domain_status{domain="example.test",status="${status}"} 1\n`);
    expect(text.match(/# TYPE domain_status gauge/g)).toHaveLength(1);
  });

  it('states the ending at the time of the probe, as do all responses that are composed of a look-up', async () => {
    const ends: Record<string, string> = { 'example.test': '00:30', 'other.test': '12:15' };
    const soon = (name: string) =>
      record(name).replace('2031-02-03T04:05:06Z', `2026-01-01T${ends[name]}:00Z`);
    const daysLeft = async () => {
      const { text } = await get('/-/look-ups?names=other.test');
      return (JSON.parse(text) as { daysLeft: number }).daysLeft;
    };
    const { get, queries, advance } = await serve({
      whois: { [NIC]: (query, socket) => socket.end(soon(query)) },
    });
    const probe = async () => (await get('/-/probe?target=example.test')).text;
    expect(await probe()).toContain('ending="none"');
    expect(await daysLeft()).toBe(1);
    advance(2_400);
    expect(await daysLeft()).toBe(0);
    const text = await probe();
    expect(metrics(text)['domain_expiry_seconds']).toBeLessThan(0);
    expect(text).toContain('ending="expired"');
    const { json } = await get('/example.test/availability');
    expect(json()).toMatchObject({ available: false, ending: 'expired' });
    const { text: line } = await get('/-/look-ups?names=example.test');
    expect(JSON.parse(line)).toMatchObject({ ending: 'expired' });
    expect(queries).toHaveLength(3);
  });

  it.each([
    ['that is free', '/-/probe?target=free.test', {}],
    ['in no zone', '/-/probe?target=example.nowhere', {}],
    ['that is rejected', '/-/probe?target=example.test', { whois: { [NIC]: 'Invalid domain name' } }],
  ])('a name %s is not registered and has no expiry', async (_, path, world) => {
    const { get } = await serve(world);
    const { text } = await get(path);
    expect(metrics(text)).toMatchObject({ domain_lookup_success: 1, domain_registered: 0 });
    expect(text).not.toContain('expiry');
  });

  it.each([
    ['an unreadable answer', 'example.test', { whois: { [NIC]: '<html>' } }],
    ['a registry without a service', 'example.none', { root: { none: rootObject('none', '') } }],
  ])('%s is a failed probe, not a name that is not registered', async (_, name, world) => {
    const { get } = await serve(world);
    const { status, text } = await get(`/-/probe?target=${name}`);
    expect(status).toBe(200);
    expect(metrics(text)).toEqual({
      domain_lookup_success: 0,
      domain_lookup_duration_seconds: expect.any(Number) as number,
    });
  });

  it('counts below zero after the expiry', async () => {
    const text = record('example.test').replace(/(?<=Registry Expiry.*)\d{4}(?=-)/, '2025');
    const { get } = await serve({ whois: { [NIC]: text } });
    const { domain_expiry_seconds: seconds, domain_expiry_days: days } = metrics(
      (await get('/-/probe?target=example.test')).text,
    );
    expect(days).toBe(-332);
    expect(Math.round((seconds ?? 0) / 86_400)).toBe(-332);
  });

  it("uses the operator's date if the registry publishes none, and says so", async () => {
    const text = record('example.test').replace(/Registry Expiry.*\r\n/, '');
    const { get } = await serve({
      whois: { [NIC]: (name, socket) => socket.end(name === 'free.test' ? 'No match!!\r\n' : text) },
    });
    const given = (await get('/-/probe?target=example.test&expiry=2026-01-31')).text;
    expect(given).toContain('domain_expiry_days{domain="example.test",source="operator"} 30\n');
    expect(given).toMatch(
      /^domain_expiry_seconds\{domain="example\.test",source="operator"\} 259[12]\d{3}$/m,
    );
    expect(given).toContain('domain_registered{domain="example.test"} 1\n');
    expect((await get('/-/probe?target=free.test&expiry=2026-01-31')).text).not.toContain('expiry');
    expect((await get('/-/probe?target=example.test')).text).not.toContain('expiry');
  });

  it("does not use the operator's date for a reserved name, which has no registration", async () => {
    const { get } = await serve({ whois: { [NIC]: 'Reserved by Registry\r\n' } });
    const { text } = await get('/-/probe?target=example.test&expiry=2026-01-31');
    expect(metrics(text)).toMatchObject({ domain_lookup_success: 1, domain_registered: 0 });
    expect(text).not.toContain('expiry');
  });

  it('prefers the date of the registry to that of the operator', async () => {
    const { get } = await serve();
    const { text } = await get('/-/probe?target=example.test&expiry=2026-01-31');
    expect(text).toMatch(/^domain_expiry_days\{domain="example\.test"\} 1859$/m);
    expect(text).not.toContain('operator');
  });

  it.each(['2026-02-30', '2026-1-31', 'soon', ''])('rejects the date %j', async (expiry) => {
    const { get } = await serve();
    const { status, json } = await get(`/-/probe?target=example.test&expiry=${expiry}`);
    expect([status, json().error.code]).toEqual([400, 'invalid_parameter']);
  });

  it('requires a valid name as target', async () => {
    const { get } = await serve();
    expect((await get('/-/probe')).status).toBe(400);
    const { status, json } = await get('/-/probe?target=a_b.test');
    expect([status, json().error]).toMatchObject([
      400,
      { code: 'invalid_domain', details: [{ parameter: 'target' }] },
    ]);
  });
});
