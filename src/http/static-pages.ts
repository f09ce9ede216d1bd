import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { createEncodingChoice, matchesEtag } from './negotiation.ts';
import type { Encoding } from '../cache/stored-answer.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** One built file in all its forms, in memory: together they are a hundred kilobytes. */
interface PageFile {
  type: string;
  etag: string;
  forms: ReadonlyMap<Encoding, Buffer>;
}

/**
 * Nothing but what this service itself serves: no other host is asked for anything, no inline script or style runs,
 * nobody frames the page.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
};
/** The name of an asset holds a hash of its content. */
const ASSET_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' };

function readFile(file: string): PageFile {
  const plain = readFileSync(file);
  const forms = new Map<Encoding, Buffer>([['identity', plain]]);
  if (existsSync(`${file}.br`)) forms.set('br', readFileSync(`${file}.br`));
  if (existsSync(`${file}.gz`)) forms.set('gzip', readFileSync(`${file}.gz`));
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { type: TYPES[path.extname(file)] ?? 'application/octet-stream', etag: `W/"${hash}"`, forms };
}

/** Path below `folder`, with `/` whatever the system, to file. */
function readFolder(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !(path.extname(entry.name) in TYPES)) continue;
    const file = path.join(entry.parentPath, entry.name);
    files.set(path.relative(folder, file).split(path.sep).join('/'), readFile(file));
  }
  return files;
}

function send(
  reply: FastifyReply,
  file: PageFile,
  accepted: string | string[] | undefined,
  condition: string | undefined,
  choose: ReturnType<typeof createEncodingChoice>,
): FastifyReply {
  reply.header('ETag', file.etag);
  if (condition !== undefined && matchesEtag(condition, file.etag)) return reply.code(304).send();
  const wanted = choose(accepted);
  const form = file.forms.get(wanted);
  if (form && wanted !== 'identity') reply.header('Content-Encoding', wanted);
  return reply.type(file.type).send(form ?? file.forms.get('identity'));
}

export interface ExplorerOptions {
  /** Holds a folder for each page, as `npm run build:explorer` makes them. */
  root: string;
  /** The folder's name. */
  page: string;
}

/**
 * Serves a built page at `/` and its files at their own paths. Each file is a route of its own, so that no path of a
 * request ever reaches the file system. Without a build nothing is registered.
 */
export function registerExplorer(app: FastifyInstance, { root, page }: ExplorerOptions): void {
  const folder = path.join(root, page);
  if (!existsSync(path.join(folder, 'index.html'))) return;
  const choose = createEncodingChoice();
  for (const [name, file] of readFolder(folder)) {
    const isPage = name === 'index.html';
    app.get(isPage ? '/' : `/${name}`, { schema: { hide: true } }, (request, reply) => {
      reply.headers(isPage ? PAGE_HEADERS : ASSET_HEADERS);
      return send(reply, file, request.headers['accept-encoding'], request.headers['if-none-match'], choose);
    });
  }
}

/** The page and its files: shown to people, not counted by the limiter. */
export function isExplorerPath(pathname: string): boolean {
  return pathname === '/' || pathname.startsWith('/assets/') || pathname.startsWith('/_/');
}

/** Where this package keeps its built pages: `dist/explorer` beside the nearest package.json above `from`. */
export function explorerRootAbove(from: string): string {
  let folder = from;
  while (!existsSync(path.join(folder, 'package.json')) && path.dirname(folder) !== folder) {
    folder = path.dirname(folder);
  }
  return path.join(folder, 'dist', 'explorer');
}
