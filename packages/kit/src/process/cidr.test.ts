import { describe, expect, it } from 'vitest';
import { addressRanges, parseCidrs } from './cidr.ts';

describe('a CIDR', () => {
  it('is a range or a single address', () => {
    const ranges = parseCidrs(['10.0.0.0/8', '192.0.2.1', '::1']);
    expect(ranges.map(([, bits]) => bits)).toEqual([8, 32, 128]);
  });

  it('in a setting is each valid, or the setting is not', () => {
    const accepted = ['10.0.0.0/8, fd00::/8', '10.0.0.0/8, fd00::/129'].map(
      (text) => addressRanges().safeParse(text).success,
    );
    expect(accepted).toEqual([true, false]);
  });

  it.each(['', '3', 'loopback', '10.0.0.0/33', '10.0.0/8x'])('is not "%s"', (text) => {
    expect(() => parseCidrs(['::1', text])).toThrow(`"${text}" is not an address range`);
  });
});
