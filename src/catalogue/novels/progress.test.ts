import { describe, expect, it } from 'vitest';
import { progressOf } from './progress.ts';

describe('where a novel stands', () => {
  it('is read from three fields, one of them the wrong way round', () => {
    expect(progressOf({ noveltype: 2, end: 0 })).toBe('short');
    expect(progressOf({ noveltype: 1, end: 0 })).toBe('complete');
    expect(progressOf({ noveltype: 1, end: 1, isstop: 0 })).toBe('ongoing');
    expect(progressOf({ noveltype: 1, end: 1, isstop: 1 })).toBe('stopped');
    expect(progressOf({ noveltype: 1 })).toBeUndefined();
  });
});
