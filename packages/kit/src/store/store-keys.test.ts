import { expect, it } from 'vitest';
import { createStoreKeys, hashKey } from './store-keys.ts';

it('keys separate services, sources and purposes, and hide external input', () => {
  const keys = createStoreKeys('p:', 'catalogue:narou');
  expect(hashKey('novels')).toBe('IWlRSwWw2dfKo-ra2CKFwh');
  expect([keys.answerKey('a'), keys.limit('a'), keys.budget]).toEqual([
    `p:catalogue:narou:answer:${hashKey('a')}`,
    `p:catalogue:narou:limit:${hashKey('a')}`,
    'p:catalogue:narou:budget:default',
  ]);
});
