import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { NIC, serve } from '../../../test/registration/loopback-service.ts';
import { record, rootObject } from '../../../../whois/test/loopback-world.ts';
import { listenHttp } from '../../../../whois/test/opened-world.ts';
import { LookUpAnswer } from './look-up-schema.ts';

const EXPIRY = { eventAction: 'expiration', eventDate: '2031-02-03T04:05:06Z' };
const DOMAIN = JSON.stringify({ objectClassName: 'domain', ldhName: 'example.test', events: [EXPIRY] });

/** A zone whose WHOIS states no expiry, and whose RDAP server does so once it is up. */
async function serveZone() {
  const rdap = { isUp: false };
  const answer: RequestListener = (_, response) =>
    rdap.isUp ? response.end(DOMAIN) : response.writeHead(503).end();
  const service = await serve({
    whois: { [NIC]: record('example.test').replace(/Registry Expiry.*\r\n/, '') },
    rdap: { test: 'http://rdap.nic.test/' },
    ports: { 'rdap.nic.test': await listenHttp(answer) },
  });
  return { ...service, rdap };
}

it('an expiry that could not be read is asked for again after five minutes, not after an hour', async () => {
  const { get, advance, rdap } = await serveZone();
  const { text, headers } = await get('/example.test');
  const { incomplete, parsed } = LookUpAnswer.strict().parse(JSON.parse(text));
  expect([incomplete, parsed.expirationDate, headers['cache-control']]).toEqual([
    ['expirationDate'],
    null,
    'public, max-age=300',
  ]);
  rdap.isUp = true;
  advance(301);
  const later = LookUpAnswer.strict().parse(JSON.parse((await get('/example.test')).text));
  expect([later.incomplete, later.parsed.expirationDate]).toEqual([undefined, EXPIRY.eventDate]);
});

it('only an unknown end is asked for again soon, fails a probe, and is an error of the calendar', async () => {
  const secureDNS = { dsData: [{ keyTag: 'odd' }] };
  const domain = (more: object) =>
    JSON.stringify({ ...(JSON.parse(DOMAIN) as object), events: [], status: ['active'], ...more });
  let body = '';
  const { get, advance } = await serve({
    rdap: { test: 'http://rdap.nic.test/' },
    ports: { 'rdap.nic.test': await listenHttp((_, response) => response.end(body)) },
    root: { test: rootObject('test', '') },
  });
  const outcome = async (more: object) => {
    body = domain(more);
    advance(3_601);
    const { headers, text } = await get('/example.test');
    const { incomplete, ending } = LookUpAnswer.strict().parse(JSON.parse(text));
    const probe = await get('/-/probe?target=example.test');
    const success = /^domain_lookup_success\{.*\} (\d)$/m.exec(probe.text)?.[1];
    const calendar = (await get('/example.test/expiry.ics')).status;
    return [incomplete, ending, headers['cache-control'], success, calendar];
  };
  expect(await outcome({ secureDNS })).toEqual([['dnssec'], 'none', 'public, max-age=3600', '1', 404]);
  const soon = { events: [{ ...EXPIRY, eventDate: 1_927_857_906 }] };
  expect(await outcome(soon)).toEqual([['expirationDate'], null, 'public, max-age=300', '0', 502]);
  const odd = { events: [EXPIRY], status: { 0: 'active' } };
  expect(await outcome(odd)).toEqual([['status'], null, 'public, max-age=300', '0', 200]);
});

it('a calendar says that the date is unknown, not that there is none', async () => {
  const { get, advance, rdap } = await serveZone();
  const { status, headers, json } = await get('/example.test/expiry.ics');
  expect([status, headers['retry-after'], json().error.code]).toEqual([502, '300', 'registry_unavailable']);
  const { text } = await get('/-/expiry.ics?names=example.test');
  expect(text.replaceAll('\r\n ', '')).toContain(': example.test: unknown without a complete answer.');
  rdap.isUp = true;
  advance(301);
  expect((await get('/example.test/expiry.ics')).text).toContain('DTSTART;VALUE=DATE:20310203');
});

it('a probe fails while the expiry is unknown, unless the operator states one', async () => {
  const { get, advance, rdap } = await serveZone();
  const success = async (more = '') =>
    /^domain_lookup_success\{.*\} (\d)$/m.exec((await get(`/-/probe?target=example.test${more}`)).text)?.[1];
  expect([await success(), await success('&expiry=2031-02-03')]).toEqual(['0', '1']);
  rdap.isUp = true;
  advance(301);
  expect(await success()).toBe('1');
});
