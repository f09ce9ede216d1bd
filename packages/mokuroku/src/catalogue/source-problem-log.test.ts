import { expect, it } from 'vitest';
import { createLogger } from '@mokuroku/kit/process';
import { createSourceProblemLog } from './main.ts';

it('malformed responses are logged once per hour and kind, and all are counted', () => {
  const time = { ms: 0 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const lines: unknown[] = [];
  const { logger } = createLogger('test', 'warn', {
    write: (line: string) => {
      lines.push(JSON.parse(line));
    },
  });
  const { report, totals } = createSourceProblemLog(logger, clock);
  const odd = { upstream: 'novelapi', problem: 'mistyped_field', about: 'length', count: 500 } as const;
  for (let i = 0; i < 10; i++) report(odd);
  report({ ...odd, about: 'title', count: 1 });
  expect(lines).toMatchObject([{ about: 'length', count: 500 }, { about: 'title' }]);
  time.ms += 3_599_999;
  report(odd);
  expect(lines).toHaveLength(2);
  time.ms += 1;
  report(odd);
  expect(lines).toHaveLength(3);
  expect(totals).toEqual(new Map([['novelapi mistyped_field', 12 * 500 + 1]]));
});
