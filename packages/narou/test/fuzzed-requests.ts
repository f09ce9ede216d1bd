import { chanceOf, seededRandom } from './random-questions.ts';

/** One unusual request. */
export interface FuzzedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
}

/** What a generator of requests reads of an OpenAPI document. */
interface PublishedRoutes {
  paths: Record<string, { get?: { parameters?: readonly { in: string; name: string }[] } }>;
}

const ODD_PATHS = ['/', '/~', '/v1/~', '/v1/novels/', '/v1//novels', '/v1/novels/../users', '/v1/novels;a=b'];
const ODD_NAMES = ['', 'foo', '__proto__', 'constructor', '%00', 'LIM', 'lim[]', 'lim.x', 'ｌｉｍ'];
const WORDS = `0 1 2 3 20 201 101,302 99 500 501 2000 2001 -1 +5 0x10 1e2 1.5 %20 Infinity NaN null undefined true
  csv atom ndjson json 2026-10-01 2026-10-20 [] {} , ,, - t-n t-n-w-zz g N0001A n9999zz
  N1234AB,N1235AC n123 hyoka new weekly best あ ば カ 猫 雨の街 %E7%8C%AB % %zz %ff %c0%af %00 %F0%9F%90%88
  %ED%A0%80 ../../etc/passwd <script> __proto__ constructor toString &amp; %26lim=1
  2026-03-09 2026-03-10 2026-02-30 2013-04-30 9999-12-31 20260309 0000-00-00 today`;
const VALUES = [
  ...WORDS.split(/\s+/),
  '',
  ' ',
  '${jndi:ldap://x}',
  '%0d%0aX: 1',
  "'; DROP TABLE novels;--",
  '9'.repeat(40),
  'a'.repeat(300),
  'N0001A,'.repeat(501),
  '(a+)+'.repeat(50),
  '　'.repeat(200),
  'x'.repeat(8_300),
  '%'.repeat(50),
];
const METHODS = [...Array<string>(7).fill('GET'), 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PROPFIND'];
const HEADERS: Record<string, string>[] = [
  {},
  {},
  { 'accept-encoding': 'gzip, br' },
  { accept: 'text/csv' },
  { accept: 'application/atom+xml;q=0.9, application/x-ndjson, */*;q=0.1' },
  { 'accept-encoding': ';;;q=x,,gzip;q=2' },
  { 'if-none-match': '*' },
  { 'if-none-match': '"a", W/"b", ,,' },
  { 'x-forwarded-for': '10.0.0.1, ::1, nonsense, 1.2.3.4:5' },
  { 'x-request-id': 'a'.repeat(500) },
  { 'content-type': 'application/json', 'content-length': '0' },
  { range: 'bytes=0-1', accept: 'text/html', 'x-http-method-override': 'DELETE' },
  { origin: 'null', 'access-control-request-method': 'PUT' },
];

/** Endless requests, deterministic by seed: published ones, near misses and garbage. */
export function* fuzzedRequests(
  seed: number,
  { paths: published }: PublishedRoutes,
): Generator<FuzzedRequest, never> {
  const { below, pick } = chanceOf(seededRandom(seed));
  const paths = [...Object.keys(published).map((path) => path.replaceAll(/\{\w+\}/g, '~')), ...ODD_PATHS];
  const operations = Object.values(published).flatMap(({ get }) => get?.parameters ?? []);
  const ofQueries = operations.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []));
  const names = [...new Set(ofQueries), ...ODD_NAMES];
  // Clients encode it or not. A request line cannot contain non-ASCII bytes.
  const written = (text: string) =>
    below(3) === 0
      ? encodeURIComponent(text)
      : text.replace(/[^\x21-\x7e]/gu, (one) => encodeURIComponent(one));
  const noise = () => Array.from({ length: below(12) }, () => String.fromCharCode(33 + below(94))).join('');
  for (;;) {
    const path = pick(paths).replaceAll('~', () => written(below(4) === 0 ? noise() : pick(VALUES)));
    const parameters = Array.from({ length: below(5) }, () => {
      const value = below(8) === 0 ? noise() : pick(VALUES);
      return below(20) === 0 ? written(value) : `${written(pick(names))}=${written(value)}`;
    });
    const question = parameters.length > 0 || below(10) === 0 ? `?${parameters.join('&')}` : '';
    yield { method: pick(METHODS), path: path + question, headers: pick(HEADERS) };
  }
}
