import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unpackLayers } from './reply.ts';

describe('a packed response', () => {
  const packed = (layers: number) => {
    let bytes = Buffer.from('[]');
    for (let layer = 0; layer < layers; layer++) bytes = gzipSync(bytes);
    return bytes;
  };

  it.each([0, 1, 2])('is unpacked: %i layers', async (layers) => {
    expect((await unpackLayers(packed(layers), 1_000)).toString()).toBe('[]');
  });

  it('is not unpacked a third time', async () => {
    expect((await unpackLayers(packed(3), 1_000)).equals(packed(1))).toBe(true);
  });
});
