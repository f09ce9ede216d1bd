import { expect, it } from 'vitest';
import { ok } from './check.ts';
import { runChecks } from './run-checks.ts';
import { same, text } from '../process/text.ts';

it('an interruption ends the running check, and starts none of the others', async () => {
  const interrupt = new AbortController();
  const started: string[] = [];
  const checks = ['first', 'running', 'next'].map((id) => ({
    id,
    group: 'here' as const,
    needs: [],
    title: same(id),
    run: (signal: AbortSignal) => {
      started.push(id);
      if (id === 'first') return ok(same('fine'));
      return new Promise<never>((_done, fail) => {
        signal.addEventListener('abort', () => fail(new Error('the connection is closed')));
        interrupt.abort();
      });
    },
  }));
  const reported: string[] = [];
  const outcomes = await runChecks(checks, {
    signal: interrupt.signal,
    timeoutMs: 60_000,
    onOutcome: ({ id }) => void reported.push(id),
  });
  expect(started).toEqual(['first', 'running']);
  const interrupted = { result: { skipped: text('interrupted', '中断') } };
  expect(outcomes).toMatchObject([{ result: { state: 'ok' } }, interrupted, interrupted]);
  expect(reported).toEqual(['first', 'running', 'next']);
});
