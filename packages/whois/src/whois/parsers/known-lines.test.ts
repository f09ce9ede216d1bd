import { describe, expect, test } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';

const DOMAIN = 'umi.example';
const read = (text: string, server: string | null = null, domain: string = DOMAIN) =>
  parseWhoisText(text, { server, domain });
const stateOf = (text: string, server?: string, domain?: string) => read(text, server, domain).state;

describe('a known sentence is found', () => {
  test.each([
    ['in capitals', 'NOT FOUND'],
    ['in quotes and brackets', '*** "Not found" (!)'],
    ['on two lines', 'We do not have an entry\nin our database matching your query'],
    ['beside another of the same state', 'Not found. No match for umi.example.'],
    ['beside another after two blanks', 'Not found.  No match for umi.example.'],
    ['beside a neutral one', 'Domain Information: Not found'],
    ['between bars', 'Not found | No data found'],
    ['after a dash', 'Domain Information - Not found'],
    ['in a remark', '% Not found'],
    ['in brackets', '[ Not found ]'],
    ['below a ruler', 'Zarbl blorg\n-----\nNot found'],
    ['below a banner', '% Zarbl blorg\nNot found'],
    ['above the clock', 'Not found\n>>> Zarbl blorg <<<'],
    ['below an empty line', 'Zarbl blorg\n\nNot found'],
    ['below a lone character', 'Zarbl blorg\n.\nNot found'],
    ['below an empty list of hosts', `Domain Name: ${DOMAIN}\nName Servers:\n\nNot found`],
    ['in 32 kB', `Not found\n\n${'a\n'.repeat(16_378)}`],
  ])('%s', (_, text) => {
    expect(stateOf(text)).toBe('not_registered');
  });

  test.each([
    ['in a longer text: the rest may state a record', `Not found\n\n${'a\n'.repeat(16_379)}`],
    ['behind 32 kB', `${'zarbl blorg\n'.repeat(4000)}\nNot found\n`],
    [
      'above a record behind 4,000 lines',
      `Not found\n\n${'a\n'.repeat(5000)}\nDomain: ${DOMAIN}\nRegistrar: Umi`,
    ],
    ['in a paragraph of other words', 'Zarbl blorg\nNot found'],
    ['above other words', 'Not found\nZarbl blorg'],
    ['beside an unknown one', 'Not found. Zarbl.'],
    ['on two lines with an empty one', 'We do not have an entry\n\nin our database matching your query'],
    ['with a further word', 'Not found zarbl'],
    ['without its last word', 'No match for'],
    ['with another name', 'No match for yoru.example'],
    ['in the first of two paragraphs about the name', 'Not found\n\numi.example is zarbled'],
    ['in other words about the name', 'umi.example: blorg\n\nNot found'],
  ])('not %s', (_, text) => {
    expect(stateOf(text)).toBe('broken');
  });
});

describe('lines beside a denial do not matter', () => {
  test.each([
    ['an echo', 'umi.example\nNot found'],
    ['a link', 'Not found\nhttps://nic.example/a'],
    ['a neutral sentence', 'Not found\nDomain information'],
    ['two neutral sentences on a line', 'Not found\nDomain information - Searching for umi.example'],
    ['a label of a form', 'Domain Name: umi.example\nZarbl: blorg\nStatus: free'],
    ['a query', 'Query: umi.example\nNot found'],
    ['a remark', '% Zarbl blorg.\n% Not found'],
  ])('%s', (_, text) => {
    expect(stateOf(text)).toBe('not_registered');
  });

  test.each([
    ['an unknown label', 'Zarbl: blorg\nNot found'],
    ['a label right above it', 'Registrar:\nNot found'],
    ['a cut sentence in a remark', `% You agree to use the information that is made here,\n% available`],
    ['trouble in a remark', '% Temporary failure\n% Not found'],
    ['trouble elsewhere in a short answer', 'Not found\n\nDatabase is down'],
    ['an error label', 'Not found\n\nError: zarbl'],
  ])('but %s does', (_, text) => {
    expect(stateOf(text)).toBe('broken');
  });

  test('of several denials one without such lines is enough', () => {
    expect(stateOf('Not found\nZarbl blorg\n\nNo match for umi.example')).toBe('not_registered');
  });

  test('the four first contradicting lines are listed once', () => {
    const lines = ['Zarbl a', 'Zarbl b', 'Zarbl c', 'Zarbl d', 'Zarbl e'];
    const { contradictions } = read(`Not found\n${lines.join('\n')}\n`);
    expect(contradictions?.map(({ line }) => line)).toEqual(['Not found', ...lines.slice(0, 3)]);
    expect(read(lines.join('\n\n')).contradictions?.map(({ line }) => line)).toEqual(lines.slice(0, 4));
  });
});

describe('at a server whose denial has the label of the name', () => {
  const TONIC = ['whois.tonic.to', 'umi.to'] as const;

  test('the label stands for the name', () => {
    const denialOf = (label: string) => `Tonic whoisd V1.1\r\nNo match for ${label}\r\n`;
    expect(stateOf(denialOf('umi'), ...TONIC)).toBe('not_registered');
    expect(stateOf(denialOf('yoru'), ...TONIC)).toBe('broken');
    expect(stateOf('No match for umi')).toBe('broken');
    expect(parseWhoisText(denialOf('match')).parsed.domainName).toBe('match.to');
  });

  test('also if it is joined to the words', () => {
    expect(stateOf('umiNOT FOUND', 'whois.nic.sn', 'umi.sn')).toBe('not_registered');
    expect(stateOf('yoruNOT FOUND', 'whois.nic.sn', 'umi.sn')).toBe('broken');
  });
});

test('the name of a denial is published', () => {
  expect(read('No match for "UMI.EXAMPLE".').parsed.domainName).toBe(DOMAIN);
  expect(read('Not found').parsed.domainName).toBeNull();
  expect(parseWhoisText('No match for umi.example').parsed.domainName).toBe(DOMAIN);
});
