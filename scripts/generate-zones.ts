import { readFileSync, writeFileSync } from 'node:fs';
import bundledBootstrap from '../packages/whois/src/look-up/data/rdap-bootstrap.json' with { type: 'json' };
import { builtInTable } from '../packages/whois/src/look-up/services.ts';
import { listZones } from '../packages/whois/src/look-up/zones.ts';
import { readBootstrap } from '../packages/whois/src/rdap/bootstrap.ts';
import { withZones } from './zone-list.ts';

// `npm run zones`: writes the table of docs/zones.md.
const page = new URL('../docs/zones.md', import.meta.url);
const bootstrap = readBootstrap(bundledBootstrap);
const zones = listZones({ table: builtInTable, bootstrap, isOwn: false });
writeFileSync(page, withZones(readFileSync(page, 'utf8'), zones));
