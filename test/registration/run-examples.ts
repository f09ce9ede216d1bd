import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';

/** A block of code, and where it stands. */
export interface Example {
  title: string;
  code: string;
}

/** The `@example` blocks of a source file, each with the name of what follows it. */
export function examplesOf(file: URL): Example[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/@example\n((?: \*(?: .*)?\n)+?) \*\/\n(?:export )?\w+ (\w+)/g)].map(
    ([, lines = '', title = '']) => ({ title, code: lines.replace(/^ \* ?/gm, '') }),
  );
}

/** The code blocks in TypeScript of a page. */
export function blocksOf(page: URL): Example[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)];
  return blocks.map(([, code = ''], index) => ({ title: `block ${index + 1}`, code }));
}

/**
 * Runs an example with these names in place of its imports. Of `expression; // literal`, calls `compare` with both.
 */
export async function runExample(
  { code }: Example,
  names: Readonly<Record<string, unknown>>,
  compare: (actual: unknown, expected: unknown) => void,
): Promise<void> {
  const compared = code
    .replace(/^import .*\n/gm, '')
    .replace(/^(?!const |for |if |\/\/)(.*); \/\/ ('.*'|true|false|null|-?\d+)$/gm, 'compare($1, $2);');
  const parameters = ['compare', ...Object.keys(names)].join(', ');
  const run = runInThisContext(`(async (${parameters}) => { { ${compared} } })`) as (
    ...values: unknown[]
  ) => Promise<void>;
  await run(compare, ...Object.values(names));
}
