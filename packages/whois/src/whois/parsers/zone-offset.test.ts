import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { zoneOffset } from './zone-offset.ts';

describe('the zone after a time, in minutes', () => {
  test.each(
    listOf(`
      Z = 0 | UTC = 0 | (GMT) = 0 | +01:00 = 60 | -0330 = -210 | +9 = 540 | (UTC+8) = 480 |
      (GMT+0:00) = 0 | UTC -5 = -300 | +930 = 570 | +14 = 840 | +1400 = 840 | pst = -480 |
      PDT 2009 = -420 | MDT = -360 | EST = -300 | CLT = -240 | CLST = -180 | BRST = -120 | BST = 60 |
      EET = 120 | MSK = 180 | MSD = 240 | WIB = 420 | (HKT) = 480 | JST = 540 | AEST = 600 |
      AEDT = 660 | NZST = 720 | NZDT = 780
    `),
  )('%s', (row) => {
    const [zone = '', minutes] = row.split(' = ');
    expect(zoneOffset(` ${zone}`)).toBe(Number(minutes));
  });

  test.each(['', ' ', '.5', ' IST', ' ZONE', ' by JST', ' UTCX', `${' '.repeat(24)}JST`])(
    '%j is none',
    (suffix) => expect(zoneOffset(suffix)).toBeNull(),
  );
});
