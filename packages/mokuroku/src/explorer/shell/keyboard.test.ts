/* oxlint-disable typescript/no-deprecated -- keyCode is the subject of these tests */
import { describe, expect, it } from 'vitest';
import { belongsToInputMethod } from './keyboard.ts';

describe('an Enter', () => {
  it('that chooses kanji belongs to the input method', () => {
    expect(belongsToInputMethod({ isComposing: true, keyCode: 13 })).toBe(true);
  });
  it('that Safari reports after the composition has ended still does', () => {
    expect(belongsToInputMethod({ isComposing: false, keyCode: 229 })).toBe(true);
  });
  it('without a composition submits', () => {
    expect(belongsToInputMethod({ isComposing: false, keyCode: 13 })).toBe(false);
  });
});
