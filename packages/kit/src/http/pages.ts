import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { chooseEncoding, encodeBody } from './negotiation.ts';
import type { Encoding } from './negotiation.ts';
import type { Operator } from './openapi.ts';
import { part } from './part.ts';
import { matchesEtag } from './response-headers.ts';

/** A page, a document or one of their files: the same for all clients, in memory. */
interface HtmlPage {
  /** Content-Type. */
  type: string;
  /** A function is called at the first request of a variant. */
  body: Buffer | ((variant: string) => Buffer);
  /** What differs by the address of a request, and with time. Default: nothing. */
  variantOf?: (url: string) => string;
  headers: Readonly<Record<string, string>>;
}

/** An eighth smaller than that of API responses. It takes 60 ms for the largest script, once. */
const BROTLI_QUALITY = 10;
/** Of a page at an address with a query: a tenth larger in a tenth of the time, since any number of them are exempt. */
const VARIANT_QUALITY = 6;
const MAX_VARIANTS = 100;

/**
 * Only this service's own files: no requests to other hosts, no inline scripts or styles, no frames.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
};
/** Names of most assets contain a hash of their content. */
const HASHED = /-[\w-]{8}\.\w+$/;
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' };
/** Browsers request a service worker again at every visit. Its scope is the whole page. */
const WORKER_HEADERS = { 'cache-control': 'no-cache', 'service-worker-allowed': '/' };
export const DAY_HEADERS = { 'cache-control': 'public, max-age=86400' };

/** Serves a page: compressed once, with a validator, exempt from the rate limit. */
export function servePage(app: FastifyInstance, url: string, page: HtmlPage): void {
  const load = (variant: string) => {
    const body = typeof page.body === 'function' ? page.body(variant) : page.body;
    const etag = `W/"${createHash('sha256').update(body).digest('base64url')}"`;
    return { body, etag, forms: {} as Partial<Record<Encoding, Promise<Buffer>>> };
  };
  const loaded = new LRUCache<string, ReturnType<typeof load>>({ max: MAX_VARIANTS, memoMethod: load });
  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { body, etag, forms } = loaded.memo(page.variantOf?.(request.originalUrl) ?? '');
    reply.headers(page.headers).header('etag', etag);
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const quality = page.variantOf && request.originalUrl !== url ? VARIANT_QUALITY : BROTLI_QUALITY;
    const bytes = await (forms[encoding] ??= encodeBody(body, encoding, request.client, quality));
    if (bytes !== body) reply.header('content-encoding', encoding);
    return reply.type(page.type).send(bytes);
  }
  app.route({ method: ['GET', 'HEAD'], url, config: { isExempt: true }, handler: sendPage });
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** The folder of the built pages, and the one that is served at `/`. */
export interface BuiltPages {
  folder: string;
  front: string;
  /** What the page offers by what the service has, `off` for what it lacks at present; undefined: not stated. */
  facts?: () => Readonly<Record<string, string | undefined>>;
  /** Whether the service runs on sample data. */
  isSample?: () => boolean;
  operator?: Operator | undefined;
  /** The feed of the page at an address in each language, by its query string. */
  feedsOf?: (search: string) => readonly { language: string; href: string; title: string }[];
  /** What the page at an address shows, by its query string; undefined: the title of the document. */
  titleOf?: (search: string) => string | undefined;
}

/** Public addresses of the pages, if known: an address, or `:3001` for that port of the same host. */
export type PageAddresses = Readonly<Record<string, string | undefined>>;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char);

function tag(name: 'link' | 'meta', attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(value)}"`);
  return `<${name}${written.join('')} />`;
}

/** What only the running service knows: its own facts, `sample`, the operator and the addresses of other pages. */
function factTags({ front, facts, isSample, operator = {} }: BuiltPages, addresses: PageAddresses): string {
  const others = Object.entries(addresses).filter(([name]) => name !== front);
  const all: Readonly<Record<string, string | undefined>> = {
    ...facts?.(),
    sample: isSample?.() ? 'yes' : undefined,
    ...Object.fromEntries(others.map(([name, address]) => [`page-${name}`, address])),
    'operator-name': operator.name,
    'operator-contact': operator.contact,
    'operator-terms': operator.termsUrl,
    'operator-privacy': operator.privacyUrl,
  };
  return Object.entries(all)
    .map(([name, content]) => (content ? tag('meta', { name, content }) : ''))
    .join('');
}

/** The title of the page at an address, and its card where it is shared. */
function titleTags({ titleOf }: BuiltPages, own: string | undefined, search: string): string {
  const title = titleOf?.(search);
  const url = own ? tag('meta', { property: 'og:url', content: `${own}/${title ? search : ''}` }) : '';
  if (title === undefined) return url;
  const content = `${title} – 目録 mokuroku`;
  return `<title>${escapeText(content)}</title>${tag('meta', { property: 'og:title', content })}${url}`;
}

/** With tags in its head; a title replaces the one of all addresses. The picture to share needs the page's own address. */
function withTags(html: string, tags: string, own: string | undefined): string {
  const rest = tags.includes('<title>')
    ? html.replace(/<title>.*?<\/title>|<meta property="og:title".*?>/gs, '')
    : html;
  return rest
    .replace(/<meta property="og:image" content="(.*?)".*?>/, (tag, file: string) =>
      own ? tag.replace(file, new URL(file, own).href) : '',
    )
    .replace('</head>', () => `${tags}</head>`);
}

/** A page with a longer address has no title and no feed of its own: to read it would cost as much as ten pages. */
const MAX_ADDRESS = 2_000;

/** The links by which feed readers find the feed of a page, by the address of a request. */
const feedLinks = (feedsOf: BuiltPages['feedsOf'], search: string): string =>
  (feedsOf?.(search) ?? [])
    .map(({ language: hreflang, title, href }) =>
      tag('link', { rel: 'alternate', type: 'application/atom+xml', hreflang, title, href }),
    )
    .join('');

/**
 * Serves a built page: `index.html` at `url`, and its files at their own paths. Each file is a route, so that no
 * path of a request reaches the file system. `own`: its public address. Returns false if there is no build.
 */
export function serveBuiltPage(
  app: FastifyInstance,
  url: string,
  folder: string,
  tagsOf: (address: string) => string,
  own?: string,
): boolean {
  if (!existsSync(path.join(folder, 'index.html'))) return false;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const type = TYPES[path.extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).split(path.sep).join('/');
    if (name === 'index.html') {
      const html = readFileSync(file, 'utf8');
      const body = (tags: string) => Buffer.from(withTags(html, tags, own));
      servePage(app, url, { type, body, headers: PAGE_HEADERS, variantOf: tagsOf });
      continue;
    }
    const headers = HASHED.test(name)
      ? ASSET_HEADERS
      : entry.name === 'worker.js'
        ? WORKER_HEADERS
        : DAY_HEADERS;
    const page = { type, body: readFileSync(file), headers };
    servePage(app, `/${name}`, page);
    // Requested by clients that read no page.
    if (entry.name === 'icon.svg') servePage(app, '/favicon.ico', page);
  }
  return true;
}

/** The built pages of this package: `dist/explorer` beside the nearest package.json above `from`. */
export function builtPagesAbove(from: string): string {
  let folder = from;
  while (!existsSync(path.join(folder, 'package.json')) && path.dirname(folder) !== folder) {
    folder = path.dirname(folder);
  }
  return path.join(folder, 'dist', 'explorer');
}

/** Serves the page at `/`, and the reference at `/docs`, which reads /openapi.json. */
export const pageRoutes = (pages: BuiltPages | undefined, addresses: PageAddresses = {}) =>
  part((app) => {
    if (pages) {
      const { folder, front, feedsOf } = pages;
      const own = addresses[front]?.startsWith('http') ? addresses[front] : undefined;
      const tagsOf = () => factTags(pages, addresses);
      const tagsAt = (address: string) => {
        const search = (address.length <= MAX_ADDRESS && /\?.*/s.exec(address)?.[0]) || '';
        return titleTags(pages, own, search) + feedLinks(feedsOf, search) + tagsOf();
      };
      serveBuiltPage(app, '/', path.join(folder, front), tagsAt, own);
      if (serveBuiltPage(app, '/docs', path.join(folder, 'reference'), tagsOf, own)) return;
    }
    // Without a build, the document itself is the reference.
    app.get('/docs', { config: { isExempt: true } }, (_request, reply) => reply.redirect('/openapi.json'));
  });
