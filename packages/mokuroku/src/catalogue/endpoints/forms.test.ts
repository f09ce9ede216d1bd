import { describe, expect, it } from 'vitest';
import { serviceOn } from '../../../test/catalogue/three-sources.ts';

const service = serviceOn('upstream');

const csv = { accept: 'text/csv' };
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
const JSON_TYPE = 'application/json; charset=utf-8';

const with_ = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;
const firstLine = (text: string) => text.split('\r\n', 1)[0];

describe('a list as CSV', () => {
  it.each([
    ['/v1/novels?of=n-t-g', 'title,ncode,genre,genre_label'],
    ['/v1/novels?of=n&opt=weekly', 'ncode,weekly_unique'],
    ['/v1/r18/novels?of=ng-n', 'ncode,nocgenre,nocgenre_label'],
    ['/v1/users?lim=2', 'userid,name,yomikata,name1st,novel_cnt,review_cnt,novel_length,sum_global_point'],
    ['/v1/rankings/daily', 'date,rank,pt,ncode'],
    ['/v1/rankings/weekly?from=2026-10-01&to=2026-10-20', 'date,rank,pt,ncode'],
    ['/v1/rankings/daily/hydrated?of=w-n', 'rank,pt,ncode,writer'],
    ['/v1/rankings/weekly/hydrated?from=2026-10-01&to=2026-10-20&of=t', 'date,rank,pt,ncode,title'],
    ['/v1/novels/N8403VF/ranking-history', 'rtype,rank,pt,type,date'],
    ['/v1/ranking-histories?ncode=N8403VF', 'ncode,rtype,rank,pt,type,date'],
    ['/v1/meta/genres', 'list,code,label_ja'],
    ['/v1/meta/nocgenres', 'code,label_ja'],
  ])('%s has the header row %s, by format or by Accept', async (path, columns) => {
    const byFormat = await service.get(with_(path, 'format=csv'));
    const byHeader = await service.get(path, { headers: csv });
    expect([byFormat.status, byFormat.headers['content-type']]).toEqual([200, CSV_TYPE]);
    expect(firstLine(byFormat.text)).toBe(columns);
    expect(byHeader.text).toBe(byFormat.text);
    expect(byFormat.text.split('\r\n').length).toBeGreaterThan(2);
  });

  it.each([
    ['text/csv', CSV_TYPE],
    ['TEXT/CSV;header=present', CSV_TYPE],
    ['text/csv, */*', CSV_TYPE],
    ['application/json;q=0.2, text/csv;q=0.3', CSV_TYPE],
    ['application/json, text/csv', JSON_TYPE],
    ['application/json, text/plain, */*', JSON_TYPE],
    ['text/csv;q=0', JSON_TYPE],
    ['text/csv;q=x', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['*/*, text/csv;q=0.5', JSON_TYPE],
    ['text/*', CSV_TYPE],
    ['text/*, application/json', JSON_TYPE],
    ['text/html, application/xml;q=0.9, */*;q=0.8', JSON_TYPE],
    [
      'application/atom+xml, application/rss+xml, text/xml;q=0.2, */*;q=0.1',
      'application/atom+xml; charset=utf-8',
    ],
  ])('for Accept: %s, also when the JSON is in memory: %s', async (accept, type) => {
    for (let time = 0; time < 2; time++) await service.get('/v1/novels?of=n');
    const { headers } = await service.get('/v1/novels?of=n', { headers: { accept } });
    expect(headers['content-type']).toBe(type);
  });

  it('has every published field by default, and its columns also without rows', async () => {
    const { text } = await service.get('/v1/novels?word=%E9%BE%98%E9%BE%98&format=csv');
    expect(text.endsWith('\r\n')).toBe(true);
    const columns = text.trim().split(',');
    const [record = {}] = (await service.get('/v1/novels?lim=1')).body.data as object[];
    expect(new Set(columns)).toEqual(new Set(Object.keys(record)));
  });

  it('has the values of the JSON', async () => {
    const { body } = await service.get('/v1/novels?of=n-w-gp-gl&lim=100');
    const { text } = await service.get('/v1/novels?of=n-w-gp-gl&lim=100&format=csv');
    const rows = text.trimEnd().split('\r\n').slice(1);
    const expected = (body.data as Record<string, unknown>[]).map((row) =>
      ['ncode', 'writer', 'general_lastup', 'global_point'].map((name) => String(row[name])).join(','),
    );
    expect(rows.map((row) => row.replaceAll('"', ''))).toEqual(expected);
  });

  it('begins with a byte order mark on request, with another ETag', async () => {
    const plain = await service.get('/v1/meta/genres?format=csv');
    const marked = await service.get('/v1/meta/genres?format=csv&bom=1');
    expect(marked.text).toBe(`\ufeff${plain.text}`);
    expect(marked.headers.etag).not.toBe(plain.headers.etag);
  });
});

describe('the forms of one answer', () => {
  const path = '/v1/novels?order=hyoka&lim=30';

  it('share one upstream request, each with its ETag and a Vary header', async () => {
    const json = await service.get(path);
    const before = service.upstream.requestCount();
    const other = await service.get(path, { headers: csv });
    expect(service.upstream.requestCount()).toBe(before);
    expect(other.headers['cache-status']).toMatch(/; hit; ttl=/);
    expect(other.headers.etag).toMatch(/^W\/"[\w-]+-csv"$/);
    expect(other.headers.etag).not.toBe(json.headers.etag);
    for (const { headers } of [json, other]) expect(headers.vary).toBe('Accept, Accept-Encoding');
    for (const etag of [json.headers.etag, other.headers.etag]) {
      const headers = { ...csv, 'if-none-match': etag ?? '' };
      expect((await service.get(path, { headers })).status).toBe(etag === other.headers.etag ? 304 : 200);
    }
  });

  it('have separate entries in the cache of URLs', async () => {
    for (let i = 0; i < 3; i++) {
      expect((await service.get(path)).headers['content-type']).toBe('application/json; charset=utf-8');
      expect((await service.get(path, { headers: csv })).headers['content-type']).toBe(CSV_TYPE);
      const named = await service.get(`${path}&format=json`, { headers: csv });
      expect(named.body.meta.ignored).toBeUndefined();
      expect((await service.get(`${path}&format=csv`)).headers['content-type']).toBe(CSV_TYPE);
    }
  });

  it('are compressed as JSON is', async () => {
    for (const form of ['csv', 'atom']) {
      const plain = await service.get(`${path}&format=${form}`);
      for (const encoding of ['gzip', 'br']) {
        const packed = await service.get(`${path}&format=${form}`, {
          headers: { 'accept-encoding': encoding },
        });
        expect(packed.headers['content-encoding']).toBe(encoding);
        expect(packed.text).toBe(plain.text);
      }
    }
  });

  it('have the same header fields for HEAD', async () => {
    const { text, headers } = await service.get(`${path}&format=csv`);
    const head = await service.get(`${path}&format=csv`, { method: 'HEAD' });
    expect([head.text, head.headers['content-length']]).toEqual(['', headers['content-length']]);
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text));
  });

  it('name what was ignored in a header where there is no meta', async () => {
    const { headers } = await service.get('/v1/novels?limit=3&format=csv');
    expect(headers['x-ignored']).toBe('limit');
    expect((await service.get('/v1/novels?of=t&format=atom')).headers['x-ignored']).toBe('of');
    expect((await service.get('/v1/novels?bom=1&format=atom')).headers['x-ignored']).toBe('bom');
  });

  it('are JSON for errors and single records', async () => {
    for (const wrong of ['/v1/novels?lim=0', '/v1/rankings/daily?date=2030-01-01', '/v1/users?format=atom']) {
      const { status, headers } = await service.get(wrong, { headers: csv });
      expect([status >= 400, headers['content-type']]).toEqual([true, 'application/json; charset=utf-8']);
    }
    const { headers, body } = await service.get('/v1/novels/N8403VF?format=csv');
    expect([headers['content-type'], body.meta.ignored]).toEqual([
      'application/json; charset=utf-8',
      ['format'],
    ]);
  });
});
