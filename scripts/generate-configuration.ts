import { writeFileSync } from 'node:fs';
import { configurationPage } from './configuration-page.ts';

// `npm run configuration`: writes docs/configuration.md.
writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage());
