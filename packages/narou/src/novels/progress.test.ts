import { describe, expect, it } from 'vitest';
import { progressOf } from './progress.ts';

describe('the state of a novel', () => {
  it('is read from three fields, one of them inverted', () => {
    expect(progressOf({ noveltype: 2, end: 0 })).toBe('short');
    expect(progressOf({ noveltype: 1, end: 0 })).toBe('complete');
    expect(progressOf({ noveltype: 1, end: 1, isstop: 0 })).toBe('ongoing');
    expect(progressOf({ noveltype: 1, end: 1, isstop: 1 })).toBe('stopped');
    expect(progressOf({ noveltype: 1 })).toBeUndefined();
    expect(progressOf({ noveltype: 1, end: 1 }), 'without isstop').toBe('ongoing');
  });
});
