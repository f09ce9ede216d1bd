import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ResponseBuffer } from './response-buffer.ts';

it('a response is its opening, its lines and its body, for any number of responses, or has no space', () => {
  const text = (maxLength: number) => fc.string({ unit: 'binary-ascii', maxLength });
  const opening = fc.oneof(
    text(100),
    fc.nat(2_100).map((length) => 'é'.repeat(length)),
  );
  const parts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 });
  fc.assert(
    fc.property(parts, opening, fc.array(opening, { minLength: 1 }), (body, lines, openings) => {
      const response = new ResponseBuffer(body.map((part) => Buffer.from(part)));
      let requestCount = 0;
      for (const each of openings) {
        const bytes = response.withHead(each, () => {
          requestCount++;
          return lines;
        });
        const isTooLong = each.length + lines.length > 2_048;
        const whole = Buffer.concat([Buffer.from(each + lines, 'latin1'), Buffer.from(body.join(''))]);
        expect(bytes?.toString('latin1')).toBe(isTooLong ? undefined : whole.toString('latin1'));
      }
      expect(requestCount).toBe(1);
    }),
  );
});
