import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { architectureGraph, withGraph } from '../../scripts/architecture-graph.ts';

it('the graph in ARCHITECTURE.md shows the actual imports (written by npm run architecture)', async () => {
  const root = new URL('../../', import.meta.url);
  const page = readFileSync(new URL('ARCHITECTURE.md', root), 'utf8');
  expect(page).toBe(withGraph(page, await architectureGraph(fileURLToPath(root))));
});
