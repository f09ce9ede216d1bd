import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serve } from '../../../test/registration/loopback-service.ts';
import type { LoadContext } from '../../../../kit/src/cache/cache-entry.ts';
import { ServiceError } from '@mokuroku/kit';
import type { DomainLookUp } from '../../../../whois/src/look-up/domain-look-up.ts';
import { createNameReader } from '../../../../whois/src/look-up/domain-name.ts';
import type { LookUpFromRoot } from '../../../../whois/src/look-up/look-up.ts';
import { ResponseCache } from '../../../../kit/src/cache/response-cache.ts';
import { parseQueryString } from '@mokuroku/kit/http';
import { systemClock } from '@mokuroku/kit/process';
import { RECORD_FIELDS } from 'mokuroku-whois/record';
import { hashSchema, lookUpQuestion } from './look-up-domain.ts';
import { LookUpAnswer } from './look-up-schema.ts';
import { portfolioCalendar } from './portfolio-calendar.ts';
import { probeExpiry } from './probe-expiry.ts';
import { REGISTRY_ERRORS } from '../errors.ts';

const readName = createNameReader(() => false);

describe('GET /-/about', () => {
  it('states the data in use and their dates', async () => {
    const { get } = await serve();
    const about = await get('/-/about');
    // A new file of the bootstrap is visible at once.
    expect(about.headers['cache-control']).toBe('public, max-age=0');
    expect(about.json()).toMatchObject({
      source: 'sample',
      rdapBootstrap: { source: 'file', publication: '2026-11-01T00:00:00Z' },
      rootZone: { source: 'bundled', date: '2026-08-08' },
    });
  });
});

it('a look-up is made for the client that requests it', async () => {
  const clients: unknown[] = [];
  const lookUp: LookUpFromRoot = (_name, _follow, call) => {
    clients.push(call?.client);
    return Promise.reject(new ServiceError(REGISTRY_ERRORS.not_registered));
  };
  const name = readName('example.test');
  const question = lookUpQuestion({ lookUp } as DomainLookUp, { name, client: '192.0.2.1' });
  await expect(question.load({} as LoadContext)).rejects.toThrow();
  expect(clients).toEqual(['192.0.2.1']);
});

it('a fault of this program is neither a missing date nor a failed look-up', async () => {
  const fault = new TypeError('a fault of this program');
  const domainLookUp = {
    readName,
    lookUp: () => Promise.reject(fault),
  } as unknown as DomainLookUp;
  const services = {
    domainLookUp,
    cache: new ResponseCache({ clock: systemClock, maxBytes: 1_000_000 }),
    limiter: undefined,
    clock: systemClock,
    isSample: () => true,
  };
  for (const endpoint of [portfolioCalendar(services), probeExpiry(services)]) {
    const query = parseQueryString('names=example.test&target=example.test');
    const nextTurn = () => Promise.resolve();
    const request = { path: {}, query, client: '192.0.2.1', reportFailure: () => undefined, nextTurn };
    await expect((async () => endpoint.parse(request))()).rejects.toBe(fault);
  }
});

it('a release with another form of the response does not read the cached responses of this one', () => {
  const form = hashSchema(LookUpAnswer);
  const name = readName('example.com');
  expect(lookUpQuestion({} as DomainLookUp, { name, client: '' }).key.split(' ')).toContain(form);
  expect(hashSchema(LookUpAnswer.extend({ added: z.string() }))).not.toBe(form);
  expect(hashSchema(LookUpAnswer.extend({ state: z.string() }))).not.toBe(form);
});

it('the published schema has the fields of a record, in their order', () => {
  expect(Object.keys(LookUpAnswer.shape.parsed.shape)).toEqual(RECORD_FIELDS);
});

describe('query parameters without effect', () => {
  it('are listed in the response', async () => {
    const { get } = await serve();
    for (const path of ['/example.test', '/example.test/availability', '/-/about']) {
      expect((await get(`${path}?folow=registrar&x`)).json()).toMatchObject({ ignored: ['folow', 'x'] });
      expect((await get(path)).text).not.toContain('ignored');
    }
  });

  it('are listed in a header if the response is not JSON', async () => {
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

describe('a printed answer', () => {
  it.each(['/example.test', '/www.EXAMPLE.test', '/-/look-ups?names=example.test'])(
    '%s has the name, its state and the fields before the text',
    async (path) => {
      const { get } = await serve();
      for (const encoding of ['identity', 'gzip', 'identity']) {
        const answer = JSON.parse((await get(path, { 'accept-encoding': encoding })).text) as object;
        const names = Object.keys(answer);
        expect(names.slice(0, 3)).toEqual(['domain', 'state', 'parsed']);
        expect(names.indexOf('raw')).toBeGreaterThan(2);
      }
      const { domain } = JSON.parse((await get(path)).text) as { domain: string };
      expect(domain).toBe(path.includes('=') ? 'example.test' : path.slice(1));
    },
  );
});

describe('well-known paths of browsers and robots', () => {
  it('are not looked up', async () => {
    const { get, queries } = await serve();
    // The icon of the pages where they have been built, and 404 where not.
    expect([200, 404]).toContain((await get('/favicon.ico')).status);
    const robots = await get('/robots.txt');
    expect(robots.status).toBe(200);
    expect(robots.text).toMatch(/^User-agent: \*\n[^]*\nDisallow: \/\n$/);
    expect(queries).toEqual([]);
  });
});
