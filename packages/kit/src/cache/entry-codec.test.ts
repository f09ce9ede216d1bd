import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policy } from '../../test/cache/cache-under-test.ts';
import { decodeEntry, encodeEntry } from './entry-codec.ts';
import { createDataEntry } from './cache-entry.ts';

function answerOf(data: unknown, meta: Record<string, unknown> = {}, status = 200) {
  return { ...createDataEntry({ data, meta }, policy, 1_000_000_000_000), status };
}

describe('an entry on its way through a tier', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z]{0,20}$/), fc.jsonValue()),
        fc.constantFrom(200, 404),
        (data, meta, status) => {
          const entry = answerOf(data, JSON.parse(JSON.stringify(meta)) as Record<string, unknown>, status);
          expect(decodeEntry('k', encodeEntry('k', entry))).toEqual({
            ...entry,
            data: Buffer.from(entry.data),
          });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is rejected if a single byte is missing, changed or added', () => {
    const bytes = encodeEntry('k', answerOf({ title: '目録' }, { source: 'novelapi' }));
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= 0x20;
      expect(decodeEntry('k', changed)).toBeUndefined();
      expect(decodeEntry('k', bytes.subarray(0, i))).toBeUndefined();
    }
    expect(decodeEntry('k', Buffer.concat([bytes, Buffer.from([0])]))).toBeUndefined();
  });

  it('is rejected under another key', () => {
    const bytes = encodeEntry('k', answerOf([]));
    expect([decodeEntry('k', bytes)?.status, decodeEntry('j', bytes)]).toEqual([200, undefined]);
  });

  it('is rejected if its header is not ours', () => {
    const entry = answerOf([]);
    const etags = ['a\r\nb: c', 'a W/"b"', 'W/"a"\r\nb: c'].map((etag) => ({ etag }));
    for (const wrong of [
      ...etags,
      { status: 99 },
      { status: 201 },
      { status: 500 },
      { staleIfErrorUntil: 'soon' },
    ]) {
      expect(decodeEntry('k', encodeEntry('k', { ...entry, ...(wrong as object) }))).toBeUndefined();
    }
    const noJson = encodeEntry('k', entry);
    noJson.write('no JSON', 12);
    noJson.writeUInt32BE(crc32(noJson.subarray(12)), 8);
    expect(decodeEntry('k', noJson)).toBeUndefined();
  });
});
