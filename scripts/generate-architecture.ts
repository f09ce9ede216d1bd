import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { architectureGraph, withGraph } from './architecture-graph.ts';

// `npm run architecture`: writes the graph in ARCHITECTURE.md.
const root = fileURLToPath(new URL('..', import.meta.url));
const file = new URL('../ARCHITECTURE.md', import.meta.url);
writeFileSync(file, withGraph(readFileSync(file, 'utf8'), await architectureGraph(root)));
