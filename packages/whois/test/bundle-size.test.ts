import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('mokuroku-whois/parse has less than 100 kB minified, and neither data of look-ups nor connections', async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [new URL('../src/parse.ts', import.meta.url).pathname],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
  });
  expect(outputFiles[0]?.contents.length).toBeLessThan(100_000);
  const folders = Object.keys(metafile.inputs).map((file) => file.split('whois/src/')[1]?.split('/')[0]);
  expect(folders).not.toContain('look-up');
  expect(folders).not.toContain('net');
});
