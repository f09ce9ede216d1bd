import { expect, it } from 'vitest';
import { fuzzedRequests } from '../../../narou/test/fuzzed-requests.ts';
import { startTestCatalogue } from '../../test/catalogue/start-test-catalogue.ts';
import type { TestCatalogue } from '../../test/catalogue/start-test-catalogue.ts';
import { ERRORS } from '@mokuroku/kit';
import type { ErrorTable } from '@mokuroku/kit';
import { NOVEL_ERRORS } from '@mokuroku/narou';

// More, or others, by hand: MOKUROKU_FUZZ_REQUESTS=100000 MOKUROKU_FUZZ_SEED=7 npx vitest run packages/mokuroku/src/catalogue/fuzz.test.ts
const COUNT = Number(process.env['MOKUROKU_FUZZ_REQUESTS'] ?? 2_000);
const SEED = Number(process.env['MOKUROKU_FUZZ_SEED'] ?? 20_261_121);
const AT_ONCE = 16;

const STATUSES = new Set([200, 204, 304, 400, 404, 405, 414]);

/** What answers that are not JSON begin with. */
const FORMS = [
  { type: 'text/csv; charset=utf-8; header=present', begins: /^\ufeff?[a-z0-9_]+(?:,[a-z0-9_]+)*\r\n/ },
  { type: 'application/atom+xml; charset=utf-8', begins: /^<\?xml [^\n]*\n<feed / },
  { type: 'application/x-ndjson; charset=utf-8', begins: /^\{"ncode":"N/ },
];

/** What every answer must be, whatever the request. */
function faultOf(method: string, answer: Awaited<ReturnType<TestCatalogue['get']>>): string | undefined {
  const { status, headers, text, body } = answer;
  // An upstream has no stream of all matches.
  if (status === 501) return undefined;
  if (!STATUSES.has(status)) return `status ${status}`;
  if (headers['access-control-allow-origin'] !== '*') return 'no CORS';
  if (method === 'HEAD' || status === 204 || status === 304) return text === '' ? undefined : 'a body';
  if (headers['content-type']?.startsWith('text/html')) return undefined;
  const form = FORMS.find(({ type }) => headers['content-type'] === type);
  if (form)
    return status === 200 && form.begins.test(text)
      ? undefined
      : `status ${status} with ${text.slice(0, 50)}`;
  if (status === 200) return body.meta.source === '' ? 'no source' : undefined;
  const entry = ({ ...ERRORS, ...NOVEL_ERRORS } as ErrorTable)[body.error.code];
  return entry?.status === status ? undefined : `status ${status} with ${body.error.code}`;
}

it(
  `${COUNT} fuzzed requests: no crash, no 5xx, always the envelope`,
  async () => {
    const service = await startTestCatalogue();
    const requests = fuzzedRequests(SEED, (await service.get('/openapi.json')).body as never);
    const seen = new Map<number, number>();
    let requestCount = 0;
    async function send(): Promise<void> {
      while (requestCount < COUNT) {
        requestCount++;
        const { method, path, headers } = requests.next().value;
        // Only every tenth response is checked against its schema, which takes longer than all other checks.
        const answer = await service.get(path, { method, headers, isChecked: requestCount % 10 === 0 });
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
        const fault = faultOf(method, answer);
        if (fault !== undefined) throw new Error(`${method} ${path} ${JSON.stringify(headers)}: ${fault}`);
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    const { status } = await service.get('/v1/novels?lim=1');
    const memory = process.memoryUsage().rss / 1e6;
    await service.close();
    expect(status).toBe(200);
    // All kinds of answers came: the requests are neither all wrong nor all right.
    for (const each of STATUSES) expect(seen.get(each) ?? 0, `status ${each}`).toBeGreaterThan(COUNT / 2_000);
    if (process.env['MOKUROKU_FUZZ_REQUESTS'])
      process.stderr.write(`${JSON.stringify([...seen])} ${memory.toFixed(0)} MB\n`);
  },
  // Ten times what it takes on a busy machine.
  Math.max(600_000, COUNT * 5),
);
