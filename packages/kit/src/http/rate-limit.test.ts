import { expect, it } from 'vitest';
import { requireAdmission } from './rate-limit.ts';

it('a part of a request is refused also by a limiter that decides later, as with a store', async () => {
  const limiter = {
    limit: 1,
    windowSeconds: 60,
    admit: async () => {
      await new Promise(setImmediate);
      return { isAllowed: false as const, remaining: 0, resetSeconds: 9, waitMs: 8_500 };
    },
  };
  await expect(requireAdmission(limiter, 'a')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 9,
  });
});
