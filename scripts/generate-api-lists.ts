import { readFileSync, writeFileSync } from 'node:fs';
import { withLists } from './api-lists.ts';

// `npm run api-lists`: writes the lists of docs/api.md and docs/api.ja.md.
for (const [name, language] of [
  ['api.md', 'en'],
  ['api.ja.md', 'ja'],
] as const) {
  const page = new URL(`../docs/${name}`, import.meta.url);
  writeFileSync(page, withLists(readFileSync(page, 'utf8'), language));
}
