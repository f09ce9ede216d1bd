import type { Socket } from 'node:net';
import { expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import { NIC, serve } from '../../packages/mokuroku/test/registration/loopback-service.ts';
import { record } from '../../packages/whois/test/loopback-world.ts';
import { ZonesAnswer } from '../../packages/mokuroku/src/registration/endpoints/list-zones.ts';
import { LookUpAnswer } from '../../packages/mokuroku/src/registration/endpoints/look-up-schema.ts';
import { createRegistrationClient } from 'mokuroku-client/source';
import type { LookUp, Zones } from '../../packages/client/src/index.ts';

async function client(limit = 0) {
  const undated = (name: string) => `Domain: ${name}\r\nStatus: connect\r\nNserver: ns1.host.example\r\n`;
  const answerOf = (name: string) => (name.startsWith('undated') ? undated(name) : record(name));
  const whois = {
    [NIC]: (query: string, socket: Socket) =>
      socket.end(query === 'free.test' ? 'No match!!' : answerOf(query)),
  };
  const { base } = await serve({ whois }, limit);
  return createRegistrationClient({ baseUrl: base });
}

/** The service's schemas have changeable lists, the types of the client some that are not. */
type Immutable<Value> = { readonly [Name in keyof Value]: Immutable<Value[Name]> };
type Published<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

it('types look-ups and zones as the service publishes them', async () => {
  expectTypeOf<LookUp>().toExtend<Published<typeof LookUpAnswer>>();
  expectTypeOf<keyof LookUp>().toEqualTypeOf<keyof Published<typeof LookUpAnswer>>();
  expectTypeOf<Zones>().toExtend<Published<typeof ZonesAnswer>>();
  expectTypeOf<keyof Zones>().toEqualTypeOf<keyof Published<typeof ZonesAnswer>>();
  const { lookUp, zones } = await client();
  const [{ data: found }, { data: known }] = [await lookUp('a.test'), await zones(['de'])];
  expect(LookUpAnswer.strict().parse(found)).toEqual(found);
  expect(ZonesAnswer.strict().parse(known)).toEqual(known);
});

it('requests one calendar of many names', async () => {
  const { expiryCalendar } = await client();
  const calendar = await expiryCalendar(['a.test', 'free.test']);
  expect(calendar).toMatch(/^BEGIN:VCALENDAR\r\n/);
  expect(calendar.match(/^SUMMARY.*/gm)).toHaveLength(2);
});

it('requests the probe of a name, with the expiry that its owner states', async () => {
  const { probe } = await client();
  expect(await probe('a.test')).toContain('domain_lookup_success{domain="a.test"} 1');
  const expiry = /domain_expiry_timestamp_seconds\{domain="undated.test",source="operator"\} 180\d+/;
  expect(await probe('undated.test', { expiry: '2027-01-31' })).toMatch(expiry);
});

it('requests the services of zones, or of all', async () => {
  const { zones } = await client();
  const { data } = await zones(['de', 'uk.com']);
  expect(data.zones.map(({ zone, services }) => [zone, services[0]?.source])).toEqual([
    ['de', 'root'],
    ['uk.com', 'list'],
  ]);
  expect((await zones()).data.zones.length).toBeGreaterThan(1_500);
});

it('rejects with the error of the service, and for any other response', async () => {
  const { expiryCalendar, probe } = await client(1);
  await expect(probe('-a.test')).rejects.toMatchObject({ code: 'invalid_domain', status: 400 });
  await expect(expiryCalendar(['a.test'])).rejects.toMatchObject({ code: 'rate_limited', status: 429 });
  const fetch = () => Promise.resolve(new Response('<html>', { headers: { 'Content-Type': 'text/html' } }));
  const elsewhere = createRegistrationClient({ fetch });
  await expect(elsewhere.probe('a.test')).rejects.toMatchObject({ code: 'not_json' });
});

it('half of a surrogate pair is rejected by the service, as any other invalid name', async () => {
  const { lookUp, lookUpMany } = await client();
  await expect(lookUp('a\ud800.test')).rejects.toMatchObject({ code: 'invalid_domain', status: 400 });
  const outcomes = [];
  for await (const { name, error } of lookUpMany(['\udc00.test', 'a.test']))
    outcomes.push([name, error?.code]);
  expect(outcomes.sort()).toEqual([
    ['a.test', undefined],
    ['\ufffd.test', 'invalid_domain'],
  ]);
});

it.each(['', '.', '..'])('the name "%s" is rejected by the service, and is no other path', async (name) => {
  const { lookUp } = await client();
  await expect(lookUp(name)).rejects.toMatchObject({ code: 'invalid_domain', status: 400 });
});

it.each(['localhost:3001', 'file:///tmp'])('%s is no address of a service', (baseUrl) => {
  expect(() => createRegistrationClient({ baseUrl })).toThrow('is no HTTP address');
});

it('leaving the loop over many names ends the request', async () => {
  let isCancelled = false;
  const line = { domain: 'a.test', status: 404, error: { code: 'not_registered', message: 'Free.' } };
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`)),
    cancel: () => {
      isCancelled = true;
    },
  });
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const client = createRegistrationClient({ fetch: () => Promise.resolve(new Response(body, { headers })) });
  for await (const { name } of client.lookUpMany(['a.test', 'b.test'])) {
    expect(name).toBe('a.test');
    break;
  }
  expect(isCancelled).toBe(true);
});
