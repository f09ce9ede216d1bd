import type { Clock } from '../process/clock.ts';
import type { PublishedEndpoint } from './endpoint.ts';
import { openapiDocument, pathTemplate } from './openapi.ts';
import type { Operator, ServiceDescription } from './openapi.ts';
import { DAY_HEADERS, servePage } from './pages.ts';
import { part } from './part.ts';
import { JSON_TYPE } from './response-headers.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';

/** `/llms.txt` (llmstxt.org): where a language model finds what. */
function llmsTxt(
  { title, description }: ServiceDescription,
  endpoints: readonly PublishedEndpoint[],
): string {
  const paths = endpoints.map((endpoint) => `- \`${pathTemplate(endpoint)}\`: ${endpoint.summary.en}`);
  return `# ${title.en}

${description.en}

## Documents

- [OpenAPI](/openapi.json): every path, parameter, field and error ([in Japanese](/openapi.ja.json))
- [Reference](/docs): the same for people

## Paths

${paths.join('\n')}
`;
}

/** Robots may read the pages, but not the API: each response may cost a request to an upstream. */
const ROBOTS = `User-agent: *
Allow: /$
Allow: /docs
Allow: /assets/
Allow: /_/
Allow: /openapi.json
Allow: /openapi.ja.json
Allow: /llms.txt
Disallow: /
`;

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year. A short period marks abandoned instances. */
const VALID_DAYS = 90;

interface DocumentOptions {
  description: ServiceDescription;
  endpoints: readonly PublishedEndpoint[];
  operator?: Operator | undefined;
  clock: Clock;
}

/** Serves what programs read about the service. */
export const documentRoutes = ({ description, endpoints, operator = {}, clock }: DocumentOptions) =>
  part((app) => {
    const headers = { 'cache-control': 'no-cache' };
    for (const language of ['en', 'ja'] as const) {
      const body = () =>
        Buffer.from(JSON.stringify(openapiDocument({ ...description, operator }, endpoints, language)));
      const url = language === 'en' ? '/openapi.json' : '/openapi.ja.json';
      servePage(app, url, { type: JSON_TYPE, body, headers });
    }
    const llms = Buffer.from(llmsTxt(description, endpoints));
    servePage(app, '/llms.txt', { type: TEXT_TYPE, body: llms, headers });
    servePage(app, '/robots.txt', { type: TEXT_TYPE, body: Buffer.from(ROBOTS), headers: DAY_HEADERS });
    const { contact } = operator;
    if (contact === undefined) return;
    // RFC 9116. Its content changes every day.
    const validUntil = () => new Date(clock.now() + VALID_DAYS * DAY_MS).toISOString().slice(0, 10);
    servePage(app, '/.well-known/security.txt', {
      type: TEXT_TYPE,
      body: (day) =>
        Buffer.from(`Contact: ${contact}\nExpires: ${day}T00:00:00Z\nPreferred-Languages: en, ja\n`),
      variantOf: validUntil,
      headers: DAY_HEADERS,
    });
  });
