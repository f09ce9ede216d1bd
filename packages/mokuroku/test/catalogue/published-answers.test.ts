import { beforeAll, describe, expect, it } from 'vitest';
import { publishedAnswers } from '../../../kit/test/catalogue/published-answers.ts';
import type { PublishedAnswers } from '../../../kit/test/catalogue/published-answers.ts';
import { startTestCatalogue } from './start-test-catalogue.ts';
import type { TestCatalogue } from './start-test-catalogue.ts';

// The response check itself must be able to fail.

let service: TestCatalogue;
let published: PublishedAnswers;
beforeAll(async () => {
  service = await startTestCatalogue();
  published = publishedAnswers(JSON.parse((await service.get('/openapi.json')).text) as never);
  return service.close;
});

const meta = { cached: false, tookMs: 1, source: 'novelapi', upstreamAllCount: 1 };

describe('the check of responses against the published schema', () => {
  it('accepts a published response', () => {
    published.check('/v1/novels?lim=1', 200, { data: [{ title: 'a', length: 1, gensaku: '' }], meta });
  });

  it.each([
    ['a field of another type', { data: [{ title: 1 }], meta }],
    ['a fraction in an integer', { data: [{ length: 1.5 }], meta }],
    ['a flag that is none', { data: [{ end: 2 }], meta }],
    ['a date of another form', { data: [{ updated_at: '2026-11-21T00:00:00Z' }], meta }],
    ['another source', { data: [], meta: { ...meta, source: 'rank' } }],
    ['an unknown member of meta', { data: [], meta: { ...meta, extra: 1 } }],
    ['no meta', { data: [] }],
    ['an object in place of a list', { data: {}, meta }],
  ])('rejects %s', (_what, body) => {
    expect(() => {
      published.check('/v1/novels', 200, body);
    }).toThrow('not as published');
  });

  it('rejects an unpublished status, and an error without its code', () => {
    expect(() => {
      published.check('/v1/novels', 418, { error: { code: 'x', message: 'y' } });
    }).toThrow('not published');
    expect(() => {
      published.check('/v1/novels', 400, { error: { code: 'not_found', message: 'y' } });
    }).toThrow('not as published');
  });
});
