import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { parseWhoisText } from '../src/whois/parsers/parse-whois-text.ts';
import { fixtureOf, fixturePaths, textOf } from './whois-fixtures.ts';

const A_LABEL = domainToASCII('ål-test');

/** Fixtures that state the queried name. */
const answers = fixturePaths().flatMap((path) => {
  const { server, domain } = fixtureOf(path);
  const text = textOf(path);
  const [label, ...zone] = domain?.split('.') ?? [];
  if (domain === null || label === undefined || zone.length === 0) return [];
  const name = new RegExp(`(?<![\\w-])${label}(?=\\.${zone.join('\\.')}(?![\\w.-]*\\w))`, 'gi');
  return name.test(text) ? [{ path, server, text, name, zone: zone.join('.') }] : [];
});

const SPELLINGS: Readonly<Record<string, (at: number) => string>> = {
  Unicode: () => 'ål-test',
  'A-labels': () => A_LABEL,
  'Unicode first': (at) => (at % 2 === 0 ? 'ål-test' : A_LABEL),
  'A-labels first': (at) => (at % 2 === 1 ? 'ål-test' : A_LABEL),
};

/** State and fields, with hosts in A-labels. */
function fieldsOf(text: string, server: string | null, domain: string): object {
  const { state, parsed } = parseWhoisText(text, { server, domain });
  const { domainName, nameServers } = parsed;
  const name = domainName?.includes('.') === true ? domainToASCII(domainName) : domainName;
  return { ...parsed, state, domainName: name, nameServers: nameServers.map((host) => domainToASCII(host)) };
}

test.each(Object.entries(SPELLINGS))('an internationalised name in %s changes no field', (_, spellingAt) => {
  expect(answers.length).toBeGreaterThan(100);
  for (const { path, server, text, name, zone } of answers) {
    let at = 0;
    const changed = text.replace(name, () => spellingAt(at++));
    const plain = text.replace(name, 'a-plain-name');
    const expected = JSON.stringify(fieldsOf(plain, server, `a-plain-name.${zone}`));
    for (const queried of [`ål-test.${zone}`, `${A_LABEL}.${zone}`]) {
      expect([path, fieldsOf(changed, server, queried)]).toEqual([
        path,
        JSON.parse(expected.replaceAll('a-plain-name', A_LABEL)),
      ]);
    }
  }
});

test.each([
  'Domain: ål-test.dk\nDNS: xn--l-test-hua.dk\nStatus: Active\nNameservers\nHostname: ns1.umi.test\n',
  'DNS: xn--l-test-hua.dk\nDomain: ål-test.dk\nStatus: Active\nNameservers\nHostname: ns1.umi.test\n',
])('the name in its other spelling is no name server, nor evidence: %j', (text) => {
  const { parsed, evidence } = parseWhoisText(text, { domain: 'ål-test.dk' });
  expect([parsed.nameServers, evidence?.line]).toEqual([['ns1.umi.test'], 'Hostname: ns1.umi.test']);
});
