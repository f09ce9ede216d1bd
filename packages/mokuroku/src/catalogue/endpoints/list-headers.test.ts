import { describe, expect, it } from 'vitest';
import { startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { serviceOn } from '../../../test/catalogue/three-sources.ts';

const service = serviceOn('upstream');

const FORMS = ['json', 'csv', 'atom'] as const;

/** The address that `Link` names as the next page, without its host. */
function nextOf(link: string | string[] | undefined): string | undefined {
  const [, address] = /^<(.+)>; rel="next"$/.exec(String(link)) ?? [];
  return address?.replace(service.base, '');
}

describe.each(FORMS)('a list as %s', (form) => {
  it('states the number of matches, and its pages lead to the last one', async () => {
    const ncodes: string[] = [];
    let path: string | undefined = `/v1/novels?userid=100003&order=old&lim=20&format=${form}`;
    let total = NaN;
    for (let pages = 0; path !== undefined && pages < 9; pages++) {
      // Twice: from the upstream, and from memory.
      const first = await service.get(path);
      const again = await service.get(path);
      expect(again.headers['link']).toBe(first.headers['link']);
      expect(again.headers['x-total-count']).toBe(first.headers['x-total-count']);
      total = Number(first.headers['x-total-count']);
      const shown = first.text.matchAll(form === 'atom' ? /novels\/(N\d+\w+)</g : /\b(N\d{4}[A-Z]{2})\b/g);
      ncodes.push(...new Set([...shown].map(([, ncode = '']) => ncode)));
      path = nextOf(first.headers['link']);
    }
    expect(total).toBe(service.catalogue.novels().filter(({ userid }) => userid === 100_003).length);
    expect(new Set(ncodes).size).toBe(total);
  });

  it.each([
    ['/v1/rankings/daily', 300],
    ['/v1/rankings/daily/hydrated?of=t', 300],
    ['/v1/rankings/weekly?from=2026-10-01&to=2026-10-31', 4],
    ['/v1/rankings/weekly/hydrated?of=t&from=2026-10-01&to=2026-10-31', 4],
  ])('%s has %d items and no next page', async (path, total) => {
    const { headers } = await service.get(`${path}${path.includes('?') ? '&' : '?'}format=${form}`);
    expect([headers['x-total-count'], headers['link']]).toEqual([String(total), undefined]);
  });
});

describe('the next page', () => {
  it('is named under the host that the client wrote', async () => {
    const path = '/v1/novels?lim=1&of=n';
    for (const host of ['novels.example.org', 'other.example.org']) {
      const { headers } = await service.get(path, { headers: { host } });
      expect(headers['link']).toBe(`<http://${host}/v1/novels?lim=1&of=n&st=2>; rel="next"`);
    }
  });

  it('follows each full page while the count of the upstream lags, and no short one', async () => {
    const all = service.catalogue.novels().filter(({ biggenre }) => biggenre === 1 || biggenre === 2).length;
    const lagging = await startTestCatalogue({ switches: { staleAllcount: true } });
    const pageAt = async (st: number) =>
      (await lagging.get(`/v1/novels?biggenre=1-2&lim=2&st=${st}&of=n`)).headers;
    const last = await pageAt(all - 2);
    expect(last['x-total-count']).toBe(String(all - 1));
    expect(last['link']).toMatch(new RegExp(`st=${all}&`));
    expect((await pageAt(all))['link']).toBeUndefined();
    await lagging.close();
  });

  it('is absent where the upstream serves no further position', async () => {
    expect((await service.get('/v1/novels?lim=1&st=1999')).headers['link']).toMatch(/st=2000/);
    expect((await service.get('/v1/novels?lim=1&st=2000')).headers['link']).toBeUndefined();
  });
});

/** Headers for browsers and connections, and those that scripts may read without permission. */
const NOT_EXPOSED = new Set([
  'content-type',
  'content-encoding',
  'vary',
  'x-content-type-options',
  'cross-origin-resource-policy',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'connection',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

it.each([
  '/v1/novels?lim=1',
  '/v1/novels?lim=1&format=csv&unknown=1',
  '/v1/novels?lim=1&format=atom',
  '/v1/rankings/daily',
  '/v1/novels/N0000A',
  '/v1/nothing',
])('scripts of other origins may read every header of %s (PUBLISHED_HEADERS)', async (path) => {
  const { headers } = await service.get(path);
  const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ');
  const sent = Object.keys(headers).filter((name) => !NOT_EXPOSED.has(name));
  expect(sent.filter((name) => !exposed.includes(name))).toEqual([]);
  expect(sent).toContain('x-request-id');
});

it.each([
  ['/v1/rankings/daily/hydrated?format=csv&of=t', 'rankings-daily-hydrated-DATE.csv'],
  [
    '/v1/rankings/daily/hydrated?format=csv&date=2026-11-01&genre=201',
    'rankings-daily-hydrated-genre-201-2026-11-01.csv',
  ],
  ['/v1/ranking-histories?ncode=N8403VF&format=ndjson', 'ranking-histories-ncode-N8403VF-DATE.ndjson'],
  ['/v1/novels/N8403VF/ranking-history?format=csv&lim=9', 'novels-N8403VF-ranking-history-DATE.csv'],
  ['/v1/novels?format=csv&lim=2&bom=1', 'novels-DATE.csv'],
  [
    `/v1/novels?format=csv&word=${encodeURIComponent('図書"/é')}&type=er`,
    'novels-type-er-word-図書-é-DATE.csv',
  ],
  [
    '/v1/novels?format=csv&length=1-99999&firstup=1000000000-&genre=201,202',
    'novels-firstup-1000000000-99999999999-genre-201-202-length-1-99999-DATE.csv',
  ],
])('%s is saved as %s', async (address, expected) => {
  const { headers } = await service.get(address);
  const saved = String(headers['content-disposition']);
  const [, plain = '', whole] = /^attachment; filename="([\w.-]+)"(?:; filename\*=UTF-8''(\S+))?$/.exec(
    saved,
  )!;
  const name = decodeURIComponent(whole ?? plain);
  expect(name.replace(/\d{4}-\d\d-\d\d(?=\.)/, expected.includes('DATE') ? 'DATE' : '$&')).toBe(expected);
});

it('a long question does not make a long file name, a feed is displayed', async () => {
  const long = await service.get(`/v1/novels?format=csv&lim=1&word=${encodeURIComponent('猫'.repeat(150))}`);
  expect(decodeURIComponent(String(long.headers['content-disposition']).split("''")[1]!)).toHaveLength(115);
  const feed = await service.get('/v1/novels?format=atom&lim=1');
  expect(feed.headers['content-disposition']).toBeUndefined();
});
