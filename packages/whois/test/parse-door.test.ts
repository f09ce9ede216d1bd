import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the parser alone has less than 100 kB minified, and neither data of look-ups nor connections', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [path.join(import.meta.dirname, '../src/parse.ts')],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
  });
  expect(outputFiles[0]?.contents.length).toBeLessThan(100_000);
  const others = Object.keys(metafile.inputs).filter((file) => /whois.src.(?:look-up|net)/.test(file));
  expect(others).toEqual([]);
});
