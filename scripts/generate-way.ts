import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { traceWay, withWay } from './way/trace-way.ts';

// `npm run way`: writes the functions that a search calls into ARCHITECTURE.md.
const root = fileURLToPath(new URL('..', import.meta.url));
const file = new URL('../ARCHITECTURE.md', import.meta.url);
writeFileSync(file, withWay(readFileSync(file, 'utf8'), await traceWay(root)));
