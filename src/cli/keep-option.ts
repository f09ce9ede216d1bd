import { UsageError } from './command.ts';

export const KEEP_OPTION = {
  type: 'string',
  description: 'Generations of an index on disk: 2, or 1 for the current one only.',
  valueHint: '1|2',
} as const;

/** The number of generations: 2 unless given. */
export function readKeep(given = '2'): 1 | 2 {
  if (given === '1') return 1;
  if (given === '2') return 2;
  const values = { option: '--keep', given, from: 1, to: 2 };
  throw new UsageError('{option} {given}: use a whole number from {from} to {to}.', values);
}
