import { afterEach, expect, it } from 'vitest';
import { packed, startLoopbackUpstream } from '../../../../test/catalogue/loopback-upstream.ts';
import type { UpstreamHandler } from '../../../../test/catalogue/loopback-upstream.ts';
import { testTransport } from '../../test/narou-test-source.ts';
import type { TestLimits } from '../../test/narou-test-source.ts';
import { Budget } from '@mokuroku/kit/upstream';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function start(answer: UpstreamHandler, limits: TestLimits) {
  const upstream = await startLoopbackUpstream(answer);
  const transport = testTransport(upstream.url, limits);
  open.push(upstream, transport);
  return transport;
}

it('a response that states too large a length ends with its first bytes', async () => {
  let received = 0;
  const transport = await start(
    (_request, response) => {
      response.writeHead(200, { 'content-length': 30_001 }).write('[');
    },
    { maxBodyBytes: 30_000, countBytes: (count) => (received += count) },
  );
  await expect(transport.get('/a/', '')).rejects.toMatchObject({ code: 'upstream_invalid' });
  expect(received).toBe(1);
});

it('the budget is reported after each request, also after one that it refuses', async () => {
  const limits = { requests: 9, bytes: 10, clientShare: 1 };
  const budget = new Budget(limits, { now: () => 0, monotonic: () => 0 });
  const used: number[] = [];
  const transport = await start(packed([{ allcount: 0 }]), {
    budget,
    onBudget: () => used.push(budget.usedPart),
    countBytes: (count, requester) => {
      budget.addBytes(count, requester);
    },
  });
  await transport.get('/a/', '');
  await expect(transport.get('/a/', '')).rejects.toMatchObject({ code: 'upstream_budget_spent' });
  expect(used.map((part) => part >= 1)).toEqual([false, true]);
});
