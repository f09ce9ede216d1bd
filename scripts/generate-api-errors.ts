import { readFileSync, writeFileSync } from 'node:fs';
import { withErrors } from './api-errors.ts';

// `npm run api-errors`: writes the errors of docs/api.md and docs/api.ja.md.
for (const [name, language] of [
  ['api.md', 'en'],
  ['api.ja.md', 'ja'],
] as const) {
  const page = new URL(`../docs/${name}`, import.meta.url);
  writeFileSync(page, withErrors(readFileSync(page, 'utf8'), language));
}
