import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { traceWay, withWay } from '../../scripts/way/trace-way.ts';
import type { Step } from '../../scripts/way/trace-way.ts';

const root = path.join(import.meta.dirname, '../..');

describe('the way of GET /v1/novels?word=', () => {
  let steps: Step[];
  beforeAll(async () => {
    steps = await traceWay(root);
  });

  it('passes 40 functions or fewer, from the connection to the log', () => {
    const names = steps.map(({ file, name }) => `${file} ${name}`);
    for (const step of [
      'src/http/request-context.ts setContext',
      'src/catalogue/endpoints/endpoint.ts ask',
      'src/cache/response-cache.ts get',
      'src/upstream/gate.ts run',
      'src/catalogue/narou/transport.ts fetchReply',
      'src/http/response-writer.ts sendResponse',
      'src/http/access-log.ts logAccess',
    ])
      expect(names).toContain(step);
    expect(names.length).toBeLessThanOrEqual(40);
  });

  it('matches the list in ARCHITECTURE.md (written by npm run way)', () => {
    const page = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
    expect(page).toBe(withWay(page, steps));
  });
});
