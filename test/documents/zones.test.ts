import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withZoneTable } from '../../scripts/zone-table.ts';
import bundledBootstrap from '../../packages/whois/src/look-up/data/rdap-bootstrap.json' with { type: 'json' };
import { publicationOf } from '../../packages/whois/src/look-up/publication.ts';
import { builtInTable } from '../../packages/whois/src/look-up/services.ts';
import { listZones } from '../../packages/whois/src/look-up/zones.ts';
import { readBootstrap } from '../../packages/whois/src/rdap/bootstrap.ts';
import { parseWhoisText } from '../../packages/whois/src/whois/parsers/parse-whois-text.ts';
import { fixtureOf, fixturePaths, textOf } from '../../packages/whois/test/whois-fixtures.ts';

/** Without blanks and the width of columns, which Prettier sets. */
const flat = (text: string) => text.replaceAll(/\s+/g, '').replaceAll(/-+/g, '-');

it('the table of docs/zones.md matches the facts (written by npm run zones)', () => {
  const page = readFileSync(new URL('../../docs/zones.md', import.meta.url), 'utf8');
  const bootstrap = readBootstrap(bundledBootstrap);
  const zones = listZones({ table: builtInTable, bootstrap, isOwn: false });
  expect(flat(page)).toBe(flat(withZoneTable(page, zones)));
});

it('no registration of a fixture states a field that its registry is said never to publish', () => {
  for (const path of fixturePaths()) {
    const { server, domain } = fixtureOf(path);
    const { state, parsed } = parseWhoisText(textOf(path), { server, domain });
    if (state !== 'registered') continue;
    const tld = (domain ?? '').slice((domain ?? '').lastIndexOf('.') + 1);
    const published = publicationOf('whois', tld);
    const stated = (['expirationDate', 'registrar', 'status'] as const).filter(
      (field) => published[field] === 'no' && (parsed[field] ?? '').length > 0,
    );
    expect([path, stated]).toEqual([path, []]);
  }
});
