import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configurationPage, settingNames } from '../../scripts/configuration-page.ts';

const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

it('docs/configuration.md matches the schemas (written by npm run configuration)', () => {
  expect(page).toBe(configurationPage());
});

it.each(settingNames())('docs/configuration.md describes %s', (name) => {
  expect(page).toMatch(new RegExp(`^### \`${name}\`\n\n\\S`, 'm'));
});
