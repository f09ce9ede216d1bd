import { expect, it } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';

const registrantOf = (country: string, organization: string) => {
  const text = [
    'Domain Name: HOSHIZORA.EXAMPLE',
    'Registrar: Sample Registrar',
    'Creation Date: 2020-01-01T00:00:00Z',
    `Registrant Organization: ${organization}`,
    `Registrant Country: ${country}`,
  ].join('\n');
  return parseWhoisText(text, { domain: 'hoshizora.example' }).parsed.registrant;
};

it.each([
  'REDACTED FOR PRIVACY',
  'Redacted',
  'Not Disclosed',
  'Data withheld',
  'undisclosed',
  'Private Person',
])('a holder that the registry withholds is not published: %s', (withheld) => {
  expect(registrantOf(withheld, withheld)).toBeNull();
  expect(registrantOf('JP', withheld)).toEqual({ organization: null, country: 'JP' });
  expect(registrantOf(withheld, 'Hoshizora Bunko')).toEqual({
    organization: 'Hoshizora Bunko',
    country: null,
  });
});
