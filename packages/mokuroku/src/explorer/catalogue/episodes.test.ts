import { expect, it } from 'vitest';
import type { Change } from 'mokuroku-client/source';
import { dayOfDate } from '@mokuroku/narou';
import { episodeDays } from './episodes.ts';

it('episodes come from the record and from recorded changes, each day once', () => {
  const change = (kind: Change['kind'], general_lastup?: string) => ({ kind, general_lastup }) as Change;
  const novel = { general_firstup: '2026-01-05 07:00:00', general_lastup: '2026-11-20 07:00:00' };
  const changes = [
    change('episode', '2026-11-20 07:00:00'),
    change('episode', '2026-11-18 07:00:00'),
    change('rewritten', '2026-11-01 07:00:00'),
    change('episode'),
  ];
  const days = ['2026-01-05', '2026-11-18', '2026-11-20'].map(dayOfDate);
  expect(episodeDays(novel, changes)).toEqual(days);
  expect(episodeDays({ general_firstup: '0000-00-00 00:00:00' }, [])).toEqual([]);
});
