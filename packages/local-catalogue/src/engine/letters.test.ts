import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLetters } from './letters.ts';

/** Any UTF-16 units, most of them of the kinds that are written differently. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0x7f }),
      fc.constantFrom(0x22, 0x5c, 0x0a, 0x2f, 0x75),
      fc.integer({ min: 0x80, max: 0x7ff }),
      fc.integer({ min: 0xd800, max: 0xdfff }),
      fc.integer({ min: 0x1_0000, max: 0x10_ffff }),
      fc.integer({ min: 0, max: 0xffff }),
    ),
  )
  .map((letters) => String.fromCodePoint(...letters));

// A pure function with a plain rule, JSON.parse: an index reads most texts from few of these offsets.
describe('letters of a JSON text', () => {
  it('are read from any offset: escapes, pairs, halves of pairs', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 12 }), fc.integer({ min: 1, max: 9 }), (text, drawn, capacity) => {
        const skip = Math.min(drawn, text.length);
        const units = new Uint16Array(capacity);
        const count = readLetters(Buffer.from(JSON.stringify(text)), 1, skip, units);
        expect(String.fromCharCode(...units.subarray(0, count))).toBe(text.slice(skip, skip + capacity));
      }),
    );
  });
});
