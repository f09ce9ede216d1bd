import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Admission } from './admission.ts';

it('clients that have disconnected leave no state', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const admission = new Admission({});
  const acquireAndRelease = (from: number, to: number) => {
    for (let index = from; index < to; index++)
      admission.acquireRequest({ key: `${index}`, network: `network ${index}` }, 100)();
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = acquireAndRelease(0, 1_000);
  // Less than 100 bytes for each of them.
  expect(acquireAndRelease(1_000, 21_000) - before).toBeLessThan(2_000_000);
});
