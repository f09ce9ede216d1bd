import { describe, expect, it } from 'vitest';
import { TokenBucket } from './token-bucket.ts';
import type { BucketLimits } from './token-bucket.ts';

function bucketAt(limits: BucketLimits) {
  const time = { now: 1_000 };
  const clock = { now: () => time.now, monotonic: () => time.now };
  return { time, bucket: new TokenBucket(clock, limits) };
}

describe('a bucket of 10 a second with a burst of 3', () => {
  it('lets three start at once, then one each tenth of a second', () => {
    const { bucket } = bucketAt({ perSecond: 10, burst: 3 });
    expect([1, 2, 3, 4, 5].map(() => bucket.acquire())).toEqual([1_000, 1_000, 1_000, 1_100, 1_200]);
  });

  it('predicts the start of waiting calls without taking a token', () => {
    const { bucket } = bucketAt({ perSecond: 10, burst: 3 });
    expect([0, 2, 3, 4].map((ahead) => bucket.startAt(ahead))).toEqual([1_000, 1_000, 1_100, 1_200]);
    expect([bucket.isFull, bucket.acquire()]).toEqual([true, 1_000]);
  });

  it('is full again exactly when all taken tokens are restored', () => {
    const { bucket, time } = bucketAt({ perSecond: 10, burst: 3 });
    bucket.acquire();
    bucket.acquire();
    time.now = 1_199;
    expect(bucket.isFull).toBe(false);
    time.now = 1_200;
    expect(bucket.isFull).toBe(true);
  });

  it('saves no more than its burst, however long it was quiet', () => {
    const { bucket, time } = bucketAt({ perSecond: 10, burst: 3 });
    bucket.acquire();
    time.now = 100_000;
    expect([1, 2, 3, 4].map(() => bucket.acquire())).toEqual([100_000, 100_000, 100_000, 100_100]);
  });
});

it('without a rate no call waits', () => {
  const { bucket } = bucketAt({});
  expect([bucket.acquire(), bucket.acquire(), bucket.startAt(50), bucket.isFull]).toEqual([
    1_000,
    1_000,
    1_000,
    true,
  ]);
});

it('a spacing replaces rate and burst', () => {
  const { bucket } = bucketAt({ perSecond: 10, burst: 3, spacingMs: 500 });
  expect([bucket.acquire(), bucket.acquire(), bucket.startAt(1)]).toEqual([1_000, 1_500, 2_500]);
});
