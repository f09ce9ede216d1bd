import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { expect, it } from 'vitest';

/** A block of code, and where it stands. */
export interface Example {
  title: string;
  code: string;
}

/** The `@example` blocks of a source file, each with the name of what follows it. */
export function examplesOf(file: URL): Example[] {
  const blocks = readFileSync(file, 'utf8').matchAll(
    /@example\n((?: *\*(?: .*)?\n)+?) *\*\/\n *(?:(?:export|async|function|const|class) )*(\w+)/g,
  );
  return [...blocks].map(([, lines = '', title = '']) => ({ title, code: lines.replace(/^ *\* ?/gm, '') }));
}

/** The code blocks of a page in a language, in its order. */
export function blocksOf(page: URL | string, language = 'ts'): Example[] {
  const fences = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  const blocks = [...readFileSync(page, 'utf8').matchAll(fences)];
  return blocks.map(([, code = ''], index) => ({ title: `block ${index + 1}`, code }));
}

/** Every function and class of a door has an example, and each runs with `names` in place of its imports. */
export function testExamples(
  door: object,
  examples: readonly Example[],
  names: () => Readonly<Record<string, unknown>>,
): void {
  it('every function of the door has an example', () => {
    const functions = Object.entries(door).flatMap(([name, value]) =>
      typeof value === 'function' ? [name] : [],
    );
    expect(examples.map(({ title }) => title)).toEqual(expect.arrayContaining(functions));
  });

  it.each(examples)('the example of $title runs, with the stated values', ({ code }) =>
    runExample(code, { ...door, ...names() }),
  );
}

/** Runs code in which every `expression; // value` must be reached and true; without any, something must be logged. */
async function runExample(code: string, names: Readonly<Record<string, unknown>>): Promise<void> {
  const reached = new Set<number>();
  let stated = 0;
  let logged = 0;
  const compared = code
    .replace(/^import .*\n/gm, '')
    .replace(
      /^(?! *(?:const |for |if |\/\/))(.*); \/\/ (.*)$/gm,
      (_, expression: string, value: string) => `compare(${stated++}, ${expression}, ${value});`,
    );
  const compare = (index: number, actual: unknown, expected: unknown) => {
    reached.add(index);
    expect(actual).toEqual(expected);
  };
  const all = { ...names, compare, console: { log: () => logged++ } };
  const run = runInThisContext(`(async (${Object.keys(all).join(', ')}) => { { ${compared} } })`) as (
    ...values: unknown[]
  ) => Promise<void>;
  await run(...Object.values(all));
  expect(reached.size).toBe(stated);
  expect(stated + logged).toBeGreaterThan(0);
}
