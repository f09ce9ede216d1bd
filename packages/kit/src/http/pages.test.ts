import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { builtPagesAbove, pageRoutes, serveBuiltPage, servePage } from './pages.ts';
import type { BuiltPages, PageAddresses } from './pages.ts';

const SCRIPT = 'export const shown = true;\n'.repeat(40);
let root: string;
let app: FastifyInstance;

beforeAll(async () => {
  root = temporaryFolder();
  mkdirSync(path.join(root, 'domain', '_'), { recursive: true });
  writeFileSync(path.join(root, 'domain', 'index.html'), '<!doctype html><head><title>page</title></head>');
  writeFileSync(path.join(root, 'domain', '_', 'index-AbC_12x-.js'), SCRIPT);
  writeFileSync(path.join(root, 'domain', '_', 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(path.join(root, 'domain', 'worker.js'), SCRIPT);
  mkdirSync(path.join(root, 'domain', 'folder.js'));
  writeFileSync(path.join(root, 'secret.txt'), 'not for anyone');
  app = fastify();
  serveBuiltPage(app, '/', path.join(root, 'domain'), () => '<title>A page</title>');
  app.get('/:domain', () => 'a look-up');
  await app.ready();
  return () => app.close();
});

describe('a built page', () => {
  it('is always revalidated, and sent only if it has changed', async () => {
    const first = await app.inject('/');
    expect([first.statusCode, first.body]).toEqual([
      200,
      '<!doctype html><head><title>A page</title></head>',
    ]);
    expect(first.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
    });
    const again = await app.inject({ url: '/', headers: { 'if-none-match': String(first.headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('names the feeds of its address in its head, escaped, each address with its own validator', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'catalogue'));
    writeFileSync(path.join(folder, 'catalogue', 'index.html'), '<head></head>');
    const other = fastify();
    const feedsOf = (search: string) =>
      search === '' ? [] : [{ language: 'ja', href: search, title: '"<猫>' }];
    await other.register(pageRoutes({ folder, front: 'catalogue', feedsOf }));
    const [none, first, second, tooLong] = await Promise.all(
      ['/', '/?a=1&b=2', '/?c', `/?${'c'.repeat(2_000)}`].map((url) => other.inject(url)),
    );
    expect([none!.body, tooLong!.body]).toEqual(Array(2).fill('<head></head>'));
    expect(first!.body).toBe(
      '<head><link rel="alternate" type="application/atom+xml" hreflang="ja" title="&quot;&lt;猫&gt;" href="?a=1&amp;b=2" /></head>',
    );
    expect(new Set([none, first, second].map((each) => each!.headers.etag)).size).toBe(3);
    await other.close();
  });

  it('has the title of its address, also for cards, and knows at once what the service has', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'catalogue'));
    const html = '<head><title>a\nb</title><meta property="og:title" content="x" /></head>';
    writeFileSync(path.join(folder, 'catalogue', 'index.html'), html);
    const other = fastify();
    const facts: Record<string, string> = {};
    const titleOf = (search: string) => (search === '' ? undefined : `<${search}>`);
    const pages = { folder, front: 'catalogue', titleOf, facts: () => facts } as const;
    await other.register(pageRoutes(pages, { catalogue: 'https://a.example' }));
    const bodyOf = async (url: string) => (await other.inject(url)).body;
    expect(await bodyOf('/')).toBe(
      html.replace('</head>', '<meta property="og:url" content="https://a.example/" /></head>'),
    );
    const title = '&lt;?a=1&gt; – 目録 mokuroku';
    expect(await bodyOf('/?a=1')).toBe(
      `<head><title>${title}</title><meta property="og:title" content="${title}" /><meta property="og:url" content="https://a.example/?a=1" /></head>`,
    );
    facts['rankings'] = 'off';
    expect(await bodyOf('/?a=1')).toContain('<meta name="rankings" content="off" />');
    await other.close();
  });

  it('is kept in memory for a hundred addresses, and no more', async () => {
    const made: string[] = [];
    const bare = fastify();
    const body = (url: string) => (made.push(url), Buffer.from(url));
    servePage(bare, '/', { type: 'text/plain', headers: {}, body, variantOf: (url) => url });
    for (const first of [1, 1, 2]) await bare.inject(`/?${first}`);
    expect(made).toHaveLength(2);
    for (let address = 3; address <= 101; address++) await bare.inject(`/?${address}`);
    await bare.inject('/?1');
    expect(made).toHaveLength(102);
    await bare.close();
  });

  it('may load nothing from other hosts and run nothing inline', async () => {
    const policy = String((await app.inject('/')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
  });

  it('has immutable assets, in the best encoding that the client accepts', async () => {
    const plain = await app.inject('/_/index-AbC_12x-.js');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toBe(SCRIPT);
    const zipped = await app.inject({ url: '/_/index-AbC_12x-.js', headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(SCRIPT);
    const small = await app.inject({ url: '/_/index-AbC_12x-.js', headers: { 'accept-encoding': 'br' } });
    expect(small.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe(SCRIPT);
  });

  it('is compressed once', async () => {
    const bare = fastify();
    const folder = temporaryFolder();
    const html = Array.from({ length: 50_000 }, (_, line) => `${line * 7_919}`).join(' ');
    writeFileSync(path.join(folder, 'index.html'), html);
    serveBuiltPage(bare, '/', folder, () => '');
    const timeOf = async (requests: number) => {
      const before = process.cpuUsage();
      for (let count = 0; count < requests; count++)
        await bare.inject({ url: '/', headers: { 'accept-encoding': 'br' } });
      return process.cpuUsage(before).user;
    };
    const first = await timeOf(1);
    expect(await timeOf(5)).toBeLessThan(first);
    await bare.close();
  });

  it('is compressed best at its own address, and with less work at any number of others', async () => {
    const bare = fastify();
    const html = Array.from({ length: 2_000 }, (_, line) => `${line * 7_919}`).join(' ');
    const body = () => Buffer.from(html);
    servePage(bare, '/', { type: 'text/plain', headers: {}, body, variantOf: (url) => url });
    const sizes = ['/', '/?a'].map(async (url) => {
      const { rawPayload } = await bare.inject({ url, headers: { 'accept-encoding': 'br' } });
      return rawPayload.length;
    });
    const sizeAt = (quality: number) =>
      brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).length;
    expect(await Promise.all(sizes)).toEqual([sizeAt(10), sizeAt(6)]);
    expect(sizeAt(6)).not.toBe(sizeAt(10));
    await bare.close();
  });

  it('has an icon under a constant name and the usual one, cached for a day', async () => {
    for (const url of ['/_/icon.svg', '/favicon.ico']) {
      const { statusCode, headers } = await app.inject({ url, headers: { 'accept-encoding': 'br' } });
      expect([statusCode, headers['content-type']]).toEqual([200, 'image/svg+xml']);
      // Too short to be compressed.
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['cache-control']).toBe('public, max-age=86400');
    }
  });

  it('has a service worker that is always revalidated, for the whole page', async () => {
    expect((await app.inject('/worker.js')).headers).toMatchObject({
      'cache-control': 'no-cache',
      'service-worker-allowed': '/',
    });
  });

  it('leaves every other path to the service, and no path leads out of its folder', async () => {
    expect((await app.inject('/example.com')).body).toBe('a look-up');
    for (const url of ['/_/../../secret.txt', '/_/%2e%2e%2f%2e%2e%2fsecret.txt', '/_/nothing']) {
      expect((await app.inject(url)).body).not.toContain('not for anyone');
    }
    expect((await app.inject('/_/nothing')).statusCode).toBe(404);
    expect((await app.inject('/folder.js')).body).toBe('a look-up');
  });
});

describe('a folder', () => {
  it.each([
    ['with', 'domain', true, 200],
    ['without', 'missing', false, 404],
  ])('%s a build is served, or not: its caller knows', async (_which, name, isServed, status) => {
    const bare = fastify();
    expect(serveBuiltPage(bare, '/', path.join(root, name), () => '')).toBe(isServed);
    expect((await bare.inject('/')).statusCode).toBe(status);
    await bare.close();
  });
});

describe('facts of the running service', () => {
  const metas = async (facts: Partial<BuiltPages>, addresses: PageAddresses) => {
    const folder = temporaryFolder();
    const html = '<head><meta property="og:image" content="/assets/share.png" /></head>';
    for (const name of ['catalogue', 'reference']) {
      mkdirSync(path.join(folder, name));
      writeFileSync(path.join(folder, name, 'index.html'), html);
    }
    const bare = fastify();
    await bare.register(pageRoutes({ folder, front: 'catalogue', ...facts }, addresses));
    const [page = [], docs] = await Promise.all(
      ['/', '/docs'].map(async (url) => {
        const { statusCode, body } = await bare.inject(url);
        expect(statusCode).toBe(200);
        return body.match(/<meta.*?>/g) ?? [];
      }),
    );
    expect(page.filter((tag) => !tag.includes('og:url'))).toEqual(docs);
    await bare.close();
    return docs;
  };

  it('are omitted if unknown: no picture without an address, no dead link', async () => {
    expect(await metas({}, {})).toEqual([]);
    expect(await metas({}, { catalogue: ':3000', domain: undefined })).toEqual([]);
  });

  it('are in the head, escaped: suggestions, the other page, the operator, absolute URLs for sharing', async () => {
    const addresses = { catalogue: 'https://novels.example', domain: ':3001' };
    const facts = {
      facts: () => ({ local: 'yes', changes: undefined, forms: '{"a":1}' }),
      isSample: () => true,
      operator: {
        name: 'Kamome & Co "$&"',
        contact: 'mailto:ops@umi.example',
        termsUrl: 'https://umi.example',
      },
    };
    expect(await metas(facts, addresses)).toEqual([
      '<meta property="og:image" content="https://novels.example/assets/share.png" />',
      '<meta name="local" content="yes" />',
      '<meta name="forms" content="{&quot;a&quot;:1}" />',
      '<meta name="sample" content="yes" />',
      '<meta name="page-domain" content=":3001" />',
      '<meta name="operator-name" content="Kamome &amp; Co &quot;$&amp;&quot;" />',
      '<meta name="operator-contact" content="mailto:ops@umi.example" />',
      '<meta name="operator-terms" content="https://umi.example" />',
    ]);
  });
});

describe('paths of the page', () => {
  it('are built into dist/explorer of the package', () => {
    expect(builtPagesAbove(import.meta.dirname)).toBe(
      path.resolve(import.meta.dirname, '../../dist/explorer'),
    );
  });
});
