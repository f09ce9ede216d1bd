import { beforeEach, expect, it } from 'vitest';
import { sayByQuery, startAnsweringServer } from '../../../test/client/answering-server.ts';
import type { AnsweringServer } from '../../../test/client/answering-server.ts';
import { createCatalogueClient } from './index.ts';

let server: AnsweringServer;
beforeEach(async () => {
  server = await startAnsweringServer();
  return server.close;
});

const client = () => createCatalogueClient({ baseUrl: server.baseUrl });
const serve = (bodyOf: Parameters<typeof sayByQuery>[0]) => {
  server.answers = [sayByQuery(bodyOf)];
};

it.each([
  ['daily', '2025-01-01', '2025-03-31', 3],
  ['daily', '2025-01-01', '2025-01-31', 1],
  ['daily', '2025-01-01', '2025-02-01', 2],
  ['weekly', '2024-01-01', '2025-12-31', 4],
] as const)(
  '%s rankings from %s to %s are requested with each day once',
  async (type, from, to, requests) => {
    const spans: [number, number][] = [];
    serve((query) => {
      spans.push([Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')]);
      return { data: [], meta: {} };
    });
    for await (const { data } of client().rankingPages(type, { from, to })) expect(data).toEqual([]);
    expect([spans.length, spans[0]?.[0], spans.at(-1)?.[1]]).toEqual([
      requests,
      Date.parse(from),
      Date.parse(to),
    ]);
    for (const [index, [start]] of spans.slice(1).entries())
      expect(start).toBe((spans[index]?.[1] ?? 0) + 86_400_000);
  },
);

it.each([
  ['yearly', '2025-01-01', '2025-03-31'],
  ['daily', '2025-03-31', '2025-01-01'],
  ['daily', '2025-02-01', '2025-02-30'],
  ['daily', '2025-2-1', '2025-03-31'],
  ['daily', 'x', '2025-03-31'],
])(
  '%s rankings from %s to %s are requested as given: the service names the fault',
  async (type, from, to) => {
    serve(() => ({ data: [], meta: {} }));
    for await (const { data } of client().rankingPages(type as 'daily', { from, to }))
      expect(data).toEqual([]);
    expect(server.requests).toEqual([`/v1/rankings/${type}?from=${from}&to=${to}`]);
  },
);
