import { expect, it } from 'vitest';
import { labelOf } from './lines.ts';
import { parseWhoisText } from './parse-whois-text.ts';

const LONG = 'Data de expiração do registro do domínio / Registry Expiry Date (dd/mm)';

it.each([
  ['Domain Name: umi.example', 'Domain Name', 'umi.example', false],
  [': umi.example', '', 'umi.example', false],
  [`${LONG} : 2030`, `${LONG} `, '2030', false],
  ['[Domain Name]      UMI.EXAMPLE', 'Domain Name', 'UMI.EXAMPLE', false],
  ['a. [Domain Name]   UMI.EXAMPLE', 'Domain Name', 'UMI.EXAMPLE', false],
  ['Status              Registered', 'Status', 'Registered', true],
  ['Registrar\tKamome Names', 'Registrar', 'Kamome Names', true],
  ['Created............2030-01-31', 'Created', '2030-01-31', true],
  [`${'a'.repeat(40)}  value`, 'a'.repeat(40), 'value', true],
] as const)('%s is split into label and value', (line, label, value, isLoose) => {
  expect(labelOf(line)).toEqual({ label, value, isLoose });
});

it.each([
  'The registry holds no data of this name.  Please ask again.',
  'One moment,  please',
  `${'a'.repeat(41)}  value`,
  `${'a'.repeat(73)}: value`,
  'https://registry.example/terms',
  'kamome.example is registered',
])('%s has no label', (line) => {
  expect(labelOf(line)).toMatchObject({ label: null, value: line });
});

it('the domain among its own name servers is none, wherever it is', () => {
  const lines = ['DNS: ns1.harbour.example', 'DNS: umi.dk', 'Domain: umi.dk', 'DNS: ns2.harbour.example'];
  const { parsed } = parseWhoisText(`${lines.join('\n')}\nRegistered: 2020-01-31\n`, { domain: 'umi.dk' });
  expect([parsed.domainName, parsed.nameServers]).toEqual([
    'umi.dk',
    ['ns1.harbour.example', 'ns2.harbour.example'],
  ]);
});
