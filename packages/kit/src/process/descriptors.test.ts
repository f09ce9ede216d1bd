import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { descriptorLimit, maxConnectionsWithin } from './descriptors.ts';

describe('the connections of a process', () => {
  it.each([
    [256, 72],
    [1_024, 360],
    [1_048_576, 2_000],
    [64, 1],
    [undefined, 2_000],
  ])('within %s descriptors are %i for each of two services', (limit, connections) => {
    expect(maxConnectionsWithin(limit, 2)).toBe(connections);
  });

  it('are not bounded by an unknown limit', () => {
    const file = join(temporaryFolder(), 'limits');
    expect(descriptorLimit(file)).toBeUndefined();
    writeFileSync(file, 'Max open files            256                  4096                 files     \n');
    expect(descriptorLimit(file)).toBe(256);
    writeFileSync(file, 'Max open files            unlimited            unlimited            files     \n');
    expect(descriptorLimit(file)).toBeUndefined();
  });
});
