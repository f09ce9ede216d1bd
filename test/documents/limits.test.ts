import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RULES } from '../../packages/kit/src/limits/rules.ts';
import type { Rule } from '../../packages/kit/src/limits/rules.ts';

const SHARES: Readonly<Record<number, string>> = { 0.5: 'half', 0.25: 'a quarter' };

const written = (value: number | string): string =>
  typeof value === 'string' ? value : (SHARES[value] ?? value.toLocaleString('en'));

const rowOf = ({ bounded, over, all, network, client, beyond }: Rule): string[] => [
  bounded,
  over,
  written(all),
  written(network),
  written(client),
  beyond,
];

it('docs/operations.md has the table of what is bounded', () => {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('\n## Limits\n');
  const lines = section.split('\n## ', 1)[0]?.split('\n') ?? [];
  const cellsOf = (line: string) => line.split('|').slice(1, -1);
  const rows = lines
    .filter((line) => line.startsWith('|'))
    .map((line) => cellsOf(line).map((cell) => cell.trim()))
    .slice(2);
  expect(rows).toEqual(Object.values(RULES).map(rowOf));
});
