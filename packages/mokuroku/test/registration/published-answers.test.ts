import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishedAnswers } from '../../../kit/test/catalogue/published-answers.ts';
import type { PublishedAnswers } from '../../../kit/test/catalogue/published-answers.ts';
import { NIC, serve, startService } from './loopback-service.ts';
import { record, rootObject } from '../../../whois/test/loopback-world.ts';

let service: Awaited<ReturnType<typeof serve>>;
let published: PublishedAnswers;

/** The registry's text for names with this prefix. */
const SAYINGS: Record<string, string> = {
  free: 'No match!!\r\n',
  reserved: 'Reserved by Registry\r\n',
  busy: 'The WHOIS query quota has been exceeded\r\nand will be replenished in 50 seconds\r\n',
  page: '<html>Maintenance</html>',
  closed: 'Requests of this client are not permitted.\r\n',
  odd: 'Invalid domain name\r\n',
  mute: '',
};

beforeAll(async () => {
  service = await startService({
    root: {
      test: { refer: NIC },
      gone: { refer: 'whois.gone.test' },
      none: rootObject('none', ''),
      strange: 'Hello\n',
    },
    whois: {
      [NIC]: (name, socket) => {
        const word = Object.keys(SAYINGS).find((each) => name.startsWith(each));
        socket.end(SAYINGS[word ?? ''] ?? record(name));
      },
    },
    settings: { timeoutMs: 60_000 },
  });
  published = publishedAnswers(JSON.parse((await service.get('/openapi.json')).text) as never);
  return service.close;
});

/** Throws if the response to the path does not match its schema. */
async function check(path: string): Promise<number> {
  const { status, headers, text } = await service.get(path);
  const isJson = String(headers['content-type']).startsWith('application/json');
  if (isJson) published.check(path, status, JSON.parse(text));
  else expect(status).toBe(200);
  return status;
}

describe('every response of the registration service matches its schema', () => {
  it.each([
    ['/example.test', 200],
    ['/example.test?follow=registrar&folow=1', 200],
    ['/reserved.test', 200],
    ['/test', 200],
    ['/-/about', 200],
    ['/-/zones', 200],
    ['/-/zones?zones=de,uk.com,nowhere&x=1', 200],
    ['/-/zones?zones=', 400],
    ['/-/look-ups?names=a.test', 200],
    ['/-/probe?target=a.test', 200],
    ['/-/probe?target=a.test&expiry=2027-01-31', 200],
    ['/-/expiry.ics?names=a.test,free.test', 200],
    ['/free.test/availability', 200],
    ['/odd.test/availability', 200],
    ['/-/expiry.ics', 400],
    ['/-/probe?target=a.test&expiry=soon', 400],
    ['/example.test/expiry.ics', 200],
    ['/reserved.test/expiry.ics', 404],
    ['/free.test/expiry.ics', 404],
    ['/a_b.test', 400],
    ['/odd.test', 400],
    ['/example.test?follow=both', 400],
    ['/-/look-ups', 400],
    ['/-/probe?target=', 400],
    ['/-/probe?target=a_b.test', 400],
    ['/%ff', 400],
    ['/free.test', 404],
    ['/example.nowhere', 404],
    ['/example.none', 501],
    ['/page.test', 502],
    ['/closed.test', 502],
    ['/mute.test', 502],
    ['/example.gone', 502],
    ['/example.strange', 502],
    ['/page.test/availability', 502],
  ])('%s: %i', async (path, status) => {
    expect(await check(path)).toBe(status);
  });

  it('also for an unexpected failure', async () => {
    const label = fc.oneof(
      fc.constantFrom(...Object.keys(SAYINGS).filter((word) => word !== 'busy'), 'example', 'www', '-a', ''),
      fc.string({ maxLength: 12, unit: 'grapheme' }),
    );
    const tld = fc.constantFrom('test', 'gone', 'none', 'strange', 'nowhere', 'xn--a', '1', '');
    const ending = fc.constantFrom(
      '',
      '/availability',
      '/expiry.ics',
      '?follow=registrar',
      '?follow=',
      '?x=%zz',
      '/-',
    );
    const paths = fc
      .tuple(label, label, tld, ending)
      // `..` alone is the parent folder, which URLs resolve before any request.
      .filter(([a, b, c]) => a !== '' || b !== '' || c !== '')
      .map(([a, b, c, end]) => `/${encodeURIComponent([a, b, c].join('.'))}${end}`);
    await fc.assert(
      fc.asyncProperty(paths, async (path) => {
        await check(path);
      }),
      { numRuns: 300 },
    );
  });

  it('also for a registry that throttles', async () => {
    expect(await check('/busy.test')).toBe(503);
    expect(await check('/busy.test/availability')).toBe(503);
    expect(await check('/example2.test')).toBe(503);
  });
});

describe('the ETag of a denial', () => {
  it('does not depend on its duration', async () => {
    let delayMs = 0;
    const { get, advance } = await serve({
      whois: {
        [NIC]: (_, socket) => {
          setTimeout(() => socket.end('No match!!\r\n'), delayMs);
          delayMs += 40;
        },
      },
    });
    const first = await get('/free.test');
    advance(400);
    const second = await get('/free.test');
    expect(second.text).not.toBe(first.text);
    expect(second.headers['etag']).toBe(first.headers['etag']);
  });
});
