/**
 * `npm run fixtures`: writes the parse result of each answer below fixtures/whois/ beside it. Review it with `git
 * diff`, which shows the effects of a parser change. A new answer `<registry>/<quirk>.txt` gets a `.json` with the
 * name stated in it; add its server by hand.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { parseWhoisText } from '../src/registration/whois/parsers/parse-whois-text.ts';
import {
  FIXTURES,
  fixtureOf,
  fixturePaths,
  statedReading,
  textOf,
} from '../test/registration/whois-fixtures.ts';

for (const path of fixturePaths()) {
  const file = new URL(`${path}.json`, FIXTURES);
  const isNew = !existsSync(file);
  const text = textOf(path);
  const { server, domain } = isNew
    ? { server: null, domain: parseWhoisText(text).parsed.domainName }
    : fixtureOf(path);
  const expected = statedReading(parseWhoisText(text, { server, domain }));
  writeFileSync(file, `${JSON.stringify({ server, domain, expected }, null, 2)}\n`);
  if (isNew) console.log(`${path}.json is new: add its server, and check what is read (${expected.state})`);
}
