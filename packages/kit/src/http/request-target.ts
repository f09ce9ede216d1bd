import type { FastifyRequest } from 'fastify';
// Adds to Fastify's types.
import type {} from './request-context.ts';

/** The address of a request as its client wrote it, for responses that contain absolute addresses. */
export interface RequestTarget {
  /** `https://api.example.org` */
  origin: string;
  /** Without a port. */
  hostname: string;
  /** The whole address, `https://api.example.org/things?word=...` */
  url: string;
}

const HOST = /^(?:([a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?)|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Scheme and host of a whole address. The host equals the Host header, or the request is refused. */
const WHOLE = /^https?:\/\/[^/?]*/i;

/** Only a trusted proxy's `X-Forwarded-Proto` counts. An invalid Host becomes `localhost`. */
export function requestTarget({
  headers,
  originalUrl,
  isFromProxy,
}: Pick<FastifyRequest, 'headers' | 'originalUrl' | 'isFromProxy'>): RequestTarget {
  const { host = '', 'x-forwarded-proto': forwarded } = headers;
  const isSecure = isFromProxy && forwarded === 'https';
  const [authority = 'localhost', name = 'localhost'] = HOST.exec(host.toLowerCase()) ?? [];
  const origin = `${isSecure ? 'https' : 'http'}://${authority}`;
  return { origin, hostname: name, url: `${origin}${originalUrl.replace(WHOLE, '')}` };
}
