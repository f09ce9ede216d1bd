import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import bundledBootstrap from '../../packages/whois/src/look-up/data/rdap-bootstrap.json' with { type: 'json' };
import { publicationOf } from '../../packages/whois/src/look-up/zones.ts';
import { builtInTable } from '../../packages/whois/src/look-up/services.ts';
import { listZones } from '../../packages/whois/src/look-up/zones.ts';
import { readBootstrap } from '../../packages/whois/src/rdap/bootstrap.ts';
import { parseWhoisText } from '../../packages/whois/src/whois/parsers/parse-whois-text.ts';
import { fixtureOf, fixturePaths, textOf } from '../../packages/whois/test/whois-fixtures.ts';
import { errorLines, withErrors } from '../../scripts/api-errors.ts';
import { configurationPage, settingNames } from '../../scripts/configuration-page.ts';
import { withZones } from '../../scripts/zone-list.ts';
import { startSampleServices } from '../sample-services.ts';
import { ROOT, found, read } from './documents.ts';

/** Without blanks and the width of columns, which Prettier sets. */
const flat = (text: string) => text.replaceAll(/\s+/g, '').replaceAll(/-+/g, '-');

it.each([
  ['docs/api.md', 'en'],
  ['docs/api.ja.md', 'ja'],
] as const)('the errors of %s match the tables (written by npm run api-errors)', (name, language) => {
  const page = read(name);
  const listed = flat(page);
  expect(errorLines(language).filter((line) => !listed.includes(flat(line)))).toEqual([]);
  expect(listed === flat(withErrors(page, language)), 'the list has further lines, or another order').toBe(
    true,
  );
});

describe.each(['docs/api', 'docs/client', 'docs/recipes', 'packages/client/README'])('%s.ja.md', (name) => {
  const [english, japanese] = [read(`${name}.md`), read(`${name}.ja.md`)];

  it.each([
    ['sections', /^(#+) /gm],
    ['calls and responses', /^```\w*\n([^]*?)^```/gm],
  ])('has the %s of the English page', (_what, pattern) => {
    expect(found(japanese, pattern)).toEqual(found(english, pattern));
  });

  it('names the parameters, values and codes that the English page names', () => {
    const codes = (text: string) => new Set(found(text.replaceAll(/^```[^]*?^```/gm, ''), /`([^`\n]+)`/g));
    expect([...codes(english)].filter((code) => !codes(japanese).has(code))).toEqual([]);
  });
});

describe('docs/configuration.md', () => {
  const page = read('docs/configuration.md');

  it('matches the schemas (written by npm run configuration)', () => {
    expect(page).toBe(configurationPage());
  });

  it.each(settingNames())('describes %s', (name) => {
    expect(page).toMatch(new RegExp(`^### \`${name}\`\n\n\\S`, 'm'));
  });

  it('describes no setting that the program never reads', () => {
    const sources = readdirSync(path.join(ROOT, 'packages'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /^[\w-]+\/src\/.*(?<!\.test)\.ts$/.test(file))
      .map((file) => read(`packages/${file}`))
      .join('\n');
    // `config.NAME`, `{ NAME }`, `{ NAME: name }` or `environment['NAME']`.
    const isRead = (name: string) =>
      new RegExp(`\\.${name}\\b|[{,]\\s*${name}(: \\w+)?\\s*[,}]|\\['${name}'\\]`).test(sources);
    expect(settingNames().filter((name) => !isRead(name))).toEqual([]);
  });
});

describe('docs/zones.md', () => {
  it('matches the facts (written by npm run zones)', () => {
    const page = read('docs/zones.md');
    const bootstrap = readBootstrap(bundledBootstrap);
    const zones = listZones({ table: builtInTable, bootstrap, isOwn: false });
    expect(flat(page)).toBe(flat(withZones(page, zones)));
  });

  it('says of no registry that it never publishes a field that a registration of a fixture states', () => {
    for (const fixture of fixturePaths()) {
      const { server, domain } = fixtureOf(fixture);
      const { state, parsed } = parseWhoisText(textOf(fixture), { server, domain });
      if (state !== 'registered') continue;
      const tld = (domain ?? '').slice((domain ?? '').lastIndexOf('.') + 1);
      const published = publicationOf('whois', tld);
      const stated = (['expirationDate', 'registrar', 'status'] as const).filter(
        (field) => published[field] === 'no' && (parsed[field] ?? '').length > 0,
      );
      expect([fixture, stated]).toEqual([fixture, []]);
    }
  });
});

describe('docs/operations.md', () => {
  const page = read('docs/operations.md');

  it('explains every metric that the services expose', async () => {
    const { catalogue, registration, close } = await startSampleServices();
    const texts = await Promise.all([catalogue, registration].map(({ metrics }) => metrics.metrics()));
    await close();
    const served = found(texts.join('\n'), /^# TYPE (mokuroku_\w+)/gm);
    expect(served.length).toBeGreaterThan(8);
    expect(served.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('explains the metrics that need a setting: a store, a local catalogue, a quota', () => {
    const names = readdirSync(path.join(ROOT, 'packages'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /^\w[\w-]*\/src\/.*(?<!\.test)\.ts$/.test(file))
      .flatMap((file) => found(read(`packages/${file}`), /\.add(?:Gauge|Counter)\(\s*'(\w+)'/g))
      .map((name) => `mokuroku_${name}`);
    expect(names).toContain('mokuroku_catalogue_rankings');
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
