/** Responses that have a header: `answers` are successes, `lists` those of endpoints with other forms. */
type ResponseKind = 'all' | 'answers' | 'lists' | 'retryable';

interface PublishedHeader {
  readonly on: ResponseKind;
  readonly description: string;
  readonly example: string;
}

/** Headers of responses for clients. OpenAPI documents them, and scripts of other origins may read them. */
export const PUBLISHED_HEADERS = {
  'X-Request-Id': {
    on: 'all',
    description: 'Id of the request, also in the log of the service.',
    example: 'k3f9-2a',
  },
  RateLimit: { on: 'all', description: 'Rest of the quota (IETF draft).', example: '"default";r=59;t=1' },
  'RateLimit-Policy': {
    on: 'all',
    description: 'The quota: requests in a window of seconds.',
    example: '"default";q=60;w=60',
  },
  'X-Data': {
    on: 'all',
    description: 'Sent with the value "sample" by a service whose data are all invented.',
    example: 'sample',
  },
  ETag: {
    on: 'answers',
    description: 'Weak validator over the data alone, for If-None-Match.',
    example: 'W/"Xo1q"',
  },
  'Cache-Control': {
    on: 'answers',
    description: 'How long the response may be cached, in seconds.',
    example: 'public, max-age=300',
  },
  Age: { on: 'answers', description: 'Seconds since the data were fetched.', example: '12' },
  'Cache-Status': {
    on: 'answers',
    description: 'Origin of the response (RFC 9211).',
    example: 'mokuroku; hit; ttl=288',
  },
  'X-Total-Count': { on: 'lists', description: 'Number of all items of the list.', example: '1432' },
  Link: {
    on: 'lists',
    description: 'Address of the next page of the list (RFC 8288); absent on the last page.',
    example: '<https://novels.example.org/v1/novels?st=21>; rel="next"',
  },
  'Content-Disposition': {
    on: 'lists',
    description: 'File name, for CSV and JSON lines.',
    example: 'attachment; filename="novels.csv"',
  },
  'X-Ignored': {
    on: 'lists',
    description: 'Query parameters without effect, for forms without `meta.ignored`.',
    example: 'limit, page',
  },
  'Retry-After': {
    on: 'retryable',
    description: 'Seconds after which the same request can succeed.',
    example: '30',
  },
} as const satisfies Readonly<Record<string, PublishedHeader>>;

/** Names of the headers of some responses. */
export const headersOn = (...kinds: readonly ResponseKind[]): readonly string[] =>
  Object.entries(PUBLISHED_HEADERS).flatMap(([name, { on }]) => (kinds.includes(on) ? [name] : []));

/** Announces the removal of an endpoint; no endpoint has one yet. */
const ANNOUNCING_HEADERS = ['Deprecation', 'Sunset'];

/** Value of Access-Control-Expose-Headers. */
export const EXPOSED_HEADERS: string = [
  ...Object.keys(PUBLISHED_HEADERS),
  'Content-Length',
  ...ANNOUNCING_HEADERS,
].join(', ');
