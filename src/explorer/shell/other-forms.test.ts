import { expect, it } from 'vitest';
import { formsOfCalls, otherForms } from './other-forms.ts';

const hrefs = (path: string) => otherForms(`http://127.0.0.1:3000${path}`).map(({ href }) => href);

it.each([
  [
    '/v1/novels?word=%E7%8C%AB&facets=genre',
    ['/v1/novels?word=%E7%8C%AB&format=csv', '/v1/novels?word=%E7%8C%AB&format=atom'],
  ],
  [
    '/v1/rankings/daily/hydrated',
    ['/v1/rankings/daily/hydrated?format=csv', '/v1/rankings/daily/hydrated?format=atom'],
  ],
  ['/v1/novels/N0001AA/ranking-history', ['/v1/novels/N0001AA/ranking-history?format=csv']],
  ['/v1/novels/N0001AA', ['/v1/novels?ncode=N0001AA&feed=episodes&format=atom']],
  ['/-/about', []],
  ['/openapi.json', []],
])('the other forms of %s', (path, expected) => {
  expect(hrefs(path)).toEqual(expected);
});

it('each form of a view is that of its first call that has it', () => {
  const urls = ['/v1/novels/N0001AA', '/v1/novels/N0001AA/ranking-history', '/v1/novels?ncode=N0001AA'];
  expect(formsOfCalls(urls.map((path) => `http://127.0.0.1:3000${path}`))).toEqual([
    { form: 'atom', href: '/v1/novels?ncode=N0001AA&feed=episodes&format=atom' },
    { form: 'csv', href: '/v1/novels/N0001AA/ranking-history?format=csv' },
  ]);
});
