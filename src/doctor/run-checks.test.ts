import { expect, it } from 'vitest';
import { ok } from './check.ts';
import type { Check } from './check.ts';
import { runChecks } from './run-checks.ts';

const checkOf = (id: string, run: Check<null>['run']): Check<null> => ({
  id,
  group: 'here',
  title: 'Settings',
  run,
});

it('an interruption ends the running check, and starts none of the others', async () => {
  const interrupt = new AbortController();
  const started: string[] = [];
  const checks = ['first', 'running', 'next'].map((id) =>
    checkOf(id, (_, signal) => {
      started.push(id);
      if (id === 'first') return ok('none needed');
      return new Promise((_done, fail) => {
        signal.addEventListener('abort', () => fail(new Error('the connection is closed')));
        interrupt.abort();
      });
    }),
  );
  const reported: string[] = [];
  const outcomes = await runChecks(checks, null, {
    signal: interrupt.signal,
    timeoutMs: 60_000,
    unmet: new Set(),
    onOutcome: ({ id }) => void reported.push(id),
  });
  expect(started).toEqual(['first', 'running']);
  const interrupted = { reason: { phrase: 'interrupted' } };
  expect(outcomes).toMatchObject([{ finding: { state: 'ok' } }, interrupted, interrupted]);
  expect(reported).toEqual(['first', 'running', 'next']);
});
