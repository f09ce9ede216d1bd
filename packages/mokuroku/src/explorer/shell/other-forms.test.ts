import { expect, it } from 'vitest';
import { catalogueEndpoints } from '../../catalogue/endpoints/index.ts';
import { formFacts } from '../../catalogue/endpoints/forms.ts';
import { formsOfCalls } from './other-forms.ts';
import type { FormFacts } from './other-forms.ts';

/** The facts of a service whose source has lines, or has none. */
const factsOf = (hasLines: boolean): FormFacts => {
  const novels = { novelapi: { stream: hasLines || undefined }, novel18api: {} };
  const endpoints = catalogueEndpoints({ source: { novels } } as never, true);
  return JSON.parse(formFacts(endpoints)) as FormFacts;
};

const callOf = (path: string, total?: number) => ({
  url: `http://127.0.0.1:3000${path}`,
  status: 200,
  total,
});
/** A form of each kind: further ones have the same rules. */
const KINDS = ['csv', 'atom', 'ndjson'];
const formsOf = (calls: Parameters<typeof formsOfCalls>[0], shown: Parameters<typeof formsOfCalls>[1]) =>
  formsOfCalls(calls, shown).filter(({ form }) => KINDS.includes(form));

const hrefs = (path: string) =>
  formsOf([callOf(path)], { facts: factsOf(true), language: 'ja' }).map(({ href }) => href);

it.each([
  [
    '/v1/novels?word=%E7%8C%AB&lim=30&st=31&of=t-n&facets=genre',
    [
      '/v1/novels?word=%E7%8C%AB&lim=500&of=t-n&format=csv&bom=1',
      '/v1/novels?word=%E7%8C%AB&lim=30&format=atom',
      '/v1/novels?word=%E7%8C%AB&of=t-n&format=ndjson',
    ],
  ],
  [
    '/v1/rankings/daily/hydrated?genre=201&order=rise&of=t',
    [
      '/v1/rankings/daily/hydrated?genre=201&order=rise&of=t&format=csv&bom=1',
      '/v1/rankings/daily/hydrated?genre=201&order=rise&format=atom',
    ],
  ],
  [
    '/v1/novels/N0001AA/ranking-history?type=weekly&lim=53',
    ['/v1/novels/N0001AA/ranking-history?type=weekly&format=csv&bom=1'],
  ],
  ['/v1/novels/N0001AA', ['/v1/novels?ncode=N0001AA&feed=episodes&format=atom']],
  ['/v1/r18/novels/N0001AA', ['/v1/r18/novels?ncode=N0001AA&feed=episodes&format=atom']],
  [
    '/v1/novels?ncode=N0001AA,N0002AA&lim=2',
    [
      '/v1/novels?ncode=N0001AA%2CN0002AA&lim=500&format=csv&bom=1',
      '/v1/novels?ncode=N0001AA%2CN0002AA&lim=2&format=atom&feed=episodes',
      '/v1/novels?ncode=N0001AA%2CN0002AA&format=ndjson',
    ],
  ],
  ['/v1/users?word=a&lim=30', ['/v1/users?word=a&lim=500&format=csv&bom=1']],
  [
    '/v1/changes?ncode=N0001AA&lim=500&since=a-1',
    [
      '/v1/changes?ncode=N0001AA&lim=500&format=csv&bom=1',
      '/v1/changes?ncode=N0001AA&lim=500&format=atom',
      '/v1/changes?ncode=N0001AA&format=ndjson',
    ],
  ],
  ['/-/about', []],
  ['/openapi.json', []],
])('the other forms of %s have its conditions', (path, expected) => {
  expect(hrefs(path)).toEqual(expected);
});

it('each form of a paged list states how much of it it has', () => {
  const partsOf = (total: number, isLocal: boolean) =>
    formsOf([callOf('/v1/novels?lim=30', total)], { facts: factsOf(isLocal), language: 'ja' }).map(
      ({ form, part }) => [form, part],
    );
  expect(partsOf(1_184, true)).toEqual([
    ['csv', { rows: 500, all: 1_184 }],
    ['atom', { rows: 30, all: 1_184 }],
    ['ndjson', { rows: 1_184, all: 1_184 }],
  ]);
  expect(partsOf(12, false)).toEqual([
    ['csv', { rows: 12, all: 12 }],
    ['atom', { rows: 12, all: 12 }],
  ]);
});

it('each form of a view is that of its first call that has it', () => {
  const paths = ['/v1/novels/N0001AA', '/v1/novels/N0001AA/ranking-history', '/v1/novels?ncode=N0001AA'];
  expect(
    formsOf(
      paths.map((path) => callOf(path)),
      { facts: factsOf(false), language: 'en' },
    ),
  ).toEqual([
    { form: 'atom', label: 'Feed (Atom)', href: '/v1/novels?ncode=N0001AA&feed=episodes&format=atom' },
    {
      form: 'csv',
      label: 'CSV',
      href: '/v1/novels/N0001AA/ranking-history?format=csv&bom=1',
      note: 'history',
    },
  ]);
});

it('a shelf has the changes of its novels, and the works of its authors beside them', () => {
  const paths = ['/v1/changes?ncode=N0001AA', '/v1/rankings/daily', '/v1/novels?userid=7&lim=500'];
  const calls = paths.map((path) => callOf(path, 3));
  const forms = formsOf(calls, { facts: factsOf(false), language: 'ja' });
  expect(forms.map(({ note, href, part }) => [note, href, part?.rows])).toEqual([
    ['changes', '/v1/changes?ncode=N0001AA&format=csv&bom=1', undefined],
    ['changes', '/v1/changes?ncode=N0001AA&format=atom', undefined],
    ['changes', '/v1/changes?ncode=N0001AA&format=ndjson', undefined],
    ['works', '/v1/novels?userid=7&lim=500&format=csv&bom=1', 3],
    ['works', '/v1/novels?userid=7&lim=500&format=atom', 3],
  ]);
});

it('a feed has its title in the language of the page', () => {
  const [, atom] = formsOf([callOf('/v1/rankings/daily')], { facts: factsOf(false), language: 'en' });
  expect(atom?.href).toBe('/v1/rankings/daily?format=atom&lang=en');
});
