import type { Style } from './style.ts';
import { displayWidth, pad, printableLines, wrap } from './text-width.ts';

export type Fact = readonly [label: string, value: string | undefined];

const DEFAULT_COLUMNS = 100;

/** Labels on the left, values on the right, long ones wrapped; facts without a value are left out. */
export function renderFacts(facts: readonly Fact[], columns: number | undefined, style: Style): string {
  const known = facts.filter((fact): fact is readonly [string, string] => !!fact[1]);
  const left = Math.max(...known.map(([label]) => displayWidth(label))) + 2;
  const right = Math.max(20, (columns ?? DEFAULT_COLUMNS) - left);
  return known
    .map(([label, value]) => {
      const [first = '', ...rest] = wrap(printableLines(value), right);
      const more = rest.map((line) => `${line === '' ? '' : ' '.repeat(left) + line}\n`).join('');
      return `${style.dim(pad(label, left))}${first}\n${more}`;
    })
    .join('');
}
