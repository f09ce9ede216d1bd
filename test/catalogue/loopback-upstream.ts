import type http from 'node:http';
import { gzipSync } from 'node:zlib';
import { serveHttp } from '../http/serve-http.ts';

/** One request as the upstream received it. */
export interface SeenRequest {
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
}

export type UpstreamHandler = (request: SeenRequest, response: http.ServerResponse) => void;

export interface LoopbackUpstream {
  url: string;
  /** All requests so far. */
  seen: SeenRequest[];
  /** Sets the following responses. */
  answer: UpstreamHandler;
}

/** A server with scripted responses, until the test ends. */
export async function startLoopbackUpstream(answer: UpstreamHandler): Promise<LoopbackUpstream> {
  const url = await serveHttp((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const seen = { path: pathname, query: searchParams, headers: request.headers };
    upstream.seen.push(seen);
    upstream.answer(seen, response);
  });
  const upstream: LoopbackUpstream = { url, seen: [], answer };
  return upstream;
}

/** JSON as PHP writes it: non-ASCII escaped, slashes too. */
function phpJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/');
}

/** A gzip file as the body, as the upstream's response to `gzip=5`. */
export function packed(value: unknown): UpstreamHandler {
  const body = gzipSync(phpJson(value));
  return (_request, response) => response.end(body);
}

export function plain(text: string, status = 200, headers: http.OutgoingHttpHeaders = {}): UpstreamHandler {
  return (_request, response) => response.writeHead(status, headers).end(text);
}
