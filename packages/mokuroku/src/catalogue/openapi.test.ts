import { beforeAll, describe, expect, it } from 'vitest';
import { startTestCatalogue } from '../../test/catalogue/start-test-catalogue.ts';
import { publishedAnswers } from '../../../kit/test/catalogue/published-answers.ts';
import type { TestCatalogue } from '../../test/catalogue/start-test-catalogue.ts';
import { ERRORS } from '@mokuroku/kit';
import type { ErrorTable } from '@mokuroku/kit';
import { NOVEL_ERRORS, OF_FIELDS } from '@mokuroku/narou';
import { dereference } from '../../../kit/test/http/dereference.ts';
import { undescribedFields } from '../../test/http/undescribed.ts';

type Json = Record<string, unknown>;
interface Parameter extends Json {
  name: string;
  in: string;
  description?: string;
  schema: Json;
}
type Examples = Record<string, { value: unknown }>;
interface Operation {
  operationId: string;
  'x-calls': { name: string }[];
  parameters?: Parameter[];
  responses: Record<string, { description: string; headers?: Json; content?: Json }>;
}
interface Document {
  openapi: string;
  paths: Record<string, { get: Operation }>;
  components: { schemas: Record<string, { properties: Record<string, Json> }> };
}

let service: TestCatalogue;
let document: Document;
beforeAll(async () => {
  service = await startTestCatalogue();
  document = JSON.parse((await service.get('/openapi.json')).text) as Document;
  return service.close;
});

const resolve = <Value>(value: Value) => dereference(document as unknown as Json, value) as Value;

const examplesOf = (content: unknown): Examples => (content as { examples?: Examples }).examples ?? {};

/** Every operation, with what it shares with others in its place. */
const operations = () =>
  Object.values(document.paths).map(({ get }) => ({
    ...get,
    parameters: (get.parameters ?? []).map(resolve),
    responses: Object.fromEntries(
      Object.entries(get.responses).map(([status, response]) => [status, resolve(response)]),
    ),
  }));

describe('the published document', () => {
  it('is OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1/);
  });

  it('describes every field, with an example', () => {
    expect(undescribedFields(document)).toEqual([]);
  });

  it('describes every parameter, with an example', () => {
    for (const { parameters, operationId } of operations()) {
      for (const { name, description, ...rest } of parameters) {
        expect(description, `${operationId} ${name}`).toBeTruthy();
        const isInert = description?.startsWith('Accepted, without effect') ?? false;
        if (!isInert) expect('example' in rest, `${operationId} ${name}`).toBe(true);
      }
    }
  });

  it('has every field of `of` in its record, numbers with their unit', () => {
    const units: Record<string, string> = {
      ...{ general_all_no: 'Number of episodes', length: 'in characters', time: 'in minutes' },
      ...{ fav_novel_cnt: 'Number of bookmarks', impression_cnt: 'Number of impressions' },
      ...{ review_cnt: 'Number of reviews', all_hyoka_cnt: 'Number of raters', all_point: 'Points given' },
      ...{ sasie_cnt: 'Number of illustrations', kaiwaritu: 'in per cent', global_point: 'Overall points' },
    };
    const codes = ['userid', 'biggenre', 'genre', 'nocgenre', 'noveltype'];
    for (const { field, servedBy, type } of OF_FIELDS) {
      const name = servedBy === 'novel18api' ? 'AdultNovel' : 'Novel';
      const published = document.components.schemas[name]?.properties[field];
      expect(published, field).toBeDefined();
      if (type !== 'integer' || codes.includes(field)) continue;
      expect(published?.['description'], `add the unit of ${field} above`).toContain(
        units[field] ?? 'Points of the last',
      );
    }
  });

  it('has the errors of every route by status, and the headers of its answers', () => {
    for (const { responses, operationId } of operations()) {
      for (const status of ['200', '304', '400', '414', '429', '500', '503']) {
        expect(responses[status], `${operationId} ${status}`).toBeDefined();
        expect(Object.keys(responses[status]?.headers ?? {})).toContain('RateLimit');
      }
      for (const [status, { content }] of Object.entries(responses)) {
        const codes = JSON.stringify(content ?? {}).match(/"enum":\["[a-z_]+"[^\]]*\]/)?.[0] ?? '[]';
        if (Number(status) < 400) continue;
        for (const code of codes.match(/[a-z_]{5,}/g) ?? []) {
          expect(({ ...ERRORS, ...NOVEL_ERRORS } as ErrorTable)[code]?.status).toBe(Number(status));
        }
      }
    }
  });

  it('has an example of every response, with its request', () => {
    for (const { responses, operationId, ...rest } of operations()) {
      const calls = rest['x-calls'].map(({ name }) => name);
      expect(calls.length, operationId).toBeGreaterThan(0);
      for (const [status, { content = {} }] of Object.entries(responses)) {
        if (status === '304') continue;
        const examples = Object.assign({}, ...Object.values(content).map(examplesOf)) as Examples;
        const unrecorded = Object.entries(examples).flatMap(([name, { value }]) =>
          value === undefined ? [name] : [],
        );
        expect(unrecorded, `${operationId} ${status}: npm run examples`).toEqual([]);
        expect(Object.keys(examples).length, `${operationId} ${status}`).toBeGreaterThan(0);
        if (status === '200') expect(Object.keys(examples)).toEqual(calls);
      }
    }
  });

  it('has only examples that match their schema', () => {
    const answers = publishedAnswers(document);
    for (const [template, { get }] of Object.entries(document.paths)) {
      for (const [status, response] of Object.entries(get.responses)) {
        const content = resolve(response).content?.['application/json'];
        if (content === undefined) continue;
        for (const { value } of Object.values(examplesOf(content))) {
          if (value === undefined) continue;
          answers.check(template.replace(/[{}]/g, ''), Number(status), value);
        }
      }
    }
  });

  it('defines once what several routes share', () => {
    const text = JSON.stringify(document);
    for (const said of ['Processing time in milliseconds.', 'For people.', 'Seconds after which']) {
      expect(text.split(said)).toHaveLength(2);
    }
    expect(text.length).toBeLessThan(150_000);
  });

  it('marks lists of a query as separated by commas', () => {
    const search = operations().find(({ operationId }) => operationId === 'searchNovels');
    const genre = search?.parameters.find(({ name }) => name === 'genre');
    expect(genre).toMatchObject({ in: 'query', style: 'form', explode: false, schema: { type: 'array' } });
  });
});

describe('the pages of the document', () => {
  it('are served without requests to other hosts', async () => {
    const page = await service.get('/docs');
    const { status, text } = page.status === 302 ? await service.get(String(page.headers.location)) : page;
    expect(status).toBe(200);
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });
});
