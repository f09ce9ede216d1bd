/**
 * `npm run fixtures`: writes the parse result of each answer below packages/whois/fixtures/whois/ beside it. Review it with `git
 * diff`, which shows the effects of a parser change. A new answer `<registry>/<quirk>.txt` gets a `.json` with the
 * name stated in it; add its server, and remove the details that it is not about: only stated ones are compared.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { parseWhoisText } from '../packages/whois/src/whois/parsers/parse-whois-text.ts';
import {
  FIXTURES,
  fixtureOf,
  fixturePaths,
  readingAsIn,
  statedReading,
  textOf,
} from '../packages/whois/test/whois-fixtures.ts';

for (const path of fixturePaths()) {
  const file = new URL(`${path}.json`, FIXTURES);
  const isNew = !existsSync(file);
  const text = textOf(path);
  const old = isNew ? null : fixtureOf(path);
  const { server, domain } = old ?? { server: null, domain: parseWhoisText(text).parsed.domainName };
  const reading = parseWhoisText(text, { server, domain });
  const expected = old === null ? statedReading(reading) : readingAsIn(old, reading);
  writeFileSync(file, `${JSON.stringify({ server, domain, expected }, null, 2)}\n`);
  if (isNew) console.log(`${path}.json is new: add its server, and check what is read (${expected.state})`);
}
