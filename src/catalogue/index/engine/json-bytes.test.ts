import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonBytes } from './json-bytes.ts';

const unitsOf = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

/** Any UTF-16 units, most of them of the kinds that are written differently. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0x7f }),
      fc.integer({ min: 0x80, max: 0x7ff }),
      fc.integer({ min: 0xd800, max: 0xdfff }),
      fc.integer({ min: 0, max: 0xffff }),
    ),
  )
  .map((units) => String.fromCharCode(...units));

describe('JSON as bytes', () => {
  it('has every text as JSON.stringify writes it: escapes, pairs and halves of them', () => {
    const json = new JsonBytes();
    fc.assert(
      fc.property(fc.array(anyText), (texts) => {
        json.put('[');
        for (const [place, text] of texts.entries()) {
          if (place > 0) json.put(',');
          json.putText(unitsOf(text));
        }
        json.put(']');
        expect(json.take().toString()).toBe(JSON.stringify(texts));
      }),
    );
  });

  it('makes room for whatever comes, and what was taken stays as it is', () => {
    const json = new JsonBytes();
    const long = 'あ'.repeat(300_000);
    json.putText(unitsOf(long));
    json.put(`,"${long}"`);
    const first = json.take();
    json.put('{"of":"the next"}');
    expect(json.take().toString()).toBe('{"of":"the next"}');
    expect(first.toString()).toBe(`"${long}","${long}"`);
  });
});
