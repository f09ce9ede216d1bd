import { describe, expect, test } from 'vitest';
import type { RegistrationState } from '../../look-up/registration-record.ts';
import { parseWhoisText } from './parse-whois-text.ts';

/** What registries say in a line or two when there is no record, 2004 to 2026. */
const sentences: Record<Exclude<RegistrationState, 'registered'>, string[]> = {
  throttled: [
    '% Error: 55000000002 Connection refused; access control limit reached.',
    'The WHOIS query quota for 192.0.2.1 has been exceeded and will be replenished in 50 seconds',
    'daily whois-limit exceeded for client 192.0.2.1',
    'maximum number of requests per minute exceeded',
    'Server too busy, try again later',
    '%% Too many requests...\n\n%% No entries found in the AFNIC Database.',
    '% Maximum queries per hour reached',
    '% Excessive querying, grace period of 30 seconds',
    '% Still in grace period, wait 12 seconds',
    'LIMIT EXCEEDED',
    'WHOIS QUERY RATE LIMIT EXCEEDED.  PLEASE WAIT AND TRY AGAIN.',
    'Your connection limit exceeded. Please slow down and try again later.',
    'request limit exceeded for 192.0.2.1',
    '# Too many connections.',
    'You have exceeded allowed connection rate',
    'Too may requests.',
    'Your request could not be performed.\nLookup quota exceeded.',
    'You have exceeded your quota of queries.',
    'exceeded maximum connection limit',
    'Too many connection attempts. Please try again in a few seconds.',
    'Query rate of 12 per minute exceeded',
    '-3: IP address blocked',
    'Cannot process your search request.\n\nService currently unavailable due to incoming of a large amount of\nrequests.',
    'You exceeded the maximum allowable number of whois lookups.',
    'Your query limit has been exceeded',
  ],
  refused: [
    'Requests of this client are not permitted.',
    'TLD is not supported.',
    "Server can't process your request.",
    'This WHOIS server does not have any records for that zone.',
  ],
  reserved: [
    'Reserved by Registry',
    'Restricted',
    'RESTRICTED - Restricted domain name',
    'Name is restricted from registration',
    'the domain you want to register is reserved.',
    'Domain reserved',
    'Domain not available',
    'This name is reserved by the Registry in accordance with ICANN Policy.',
    'Object is blocked',
    '% reserved:    CG',
    'Domain Name: a.test\nDomain Status: Prohibited String - Object Cannot Be Registered',
    'Status: PREMIUM NAME (No match for domain "a.test")',
  ],
  invalid: [
    'Invalid request',
    '% Invalid query',
    '% Error: 55000000010 Non bijective ace-idn convertible domain',
    'Incorrect domain name: ?---.pl',
    'Domain: a.test\nStatus: invalid',
    '網域名稱不合規定!',
  ],
  broken: [
    '',
    'OK! You win',
    'fgets: Connection reset by peer',
    'Service temporarily unavailable.',
    '* Sorry, the Whois database is currently down.',
    'Lookup for a.test can temporarily not be answered. Please try again.',
  ],
  not_registered: [
    'No match for "A.TEST".',
    '% No entries found in the AFNIC Database.',
    'No Data Found',
    'The queried object does not exist: DOMAIN NOT FOUND',
    'Domain a.test - Available',
    '% nothing found',
    'This domain name has not been registered.',
    'We do not have an entry in our database matching your query.',
    'Data not found. This domain is available for registration.',
    'Domain not found.\nThis premium domain is available for purchase.',
    'Domain could not be found.',
    'El dominio no se encuentra registrado en NIC Argentina',
    'No_Se_Encontro_El_Objeto/Object_Not_Found',
    'aNOT FOUND',
  ],
};

describe.each(Object.entries(sentences))('%s', (state, texts) => {
  test.each(texts)('%j', (text) => {
    expect(parseWhoisText(text).state).toBe(state);
  });
});

describe('terms of use are no answer', () => {
  const terms = [
    'Access to the service is rate limited. Queries to the service are throttled, and if too many queries are',
    'received from a single address, the service will begin to reject further queries. Names that are not found',
    'may be reserved by the registry, or their registration may be restricted. You agree not to exceed the limit',
    'of queries per hour, and that your access may be blocked temporarily if it has been exceeded.',
  ];

  test.each([
    ['many lines', terms.join('\n')],
    ['one line', terms.join(' ')],
    ['remarks', terms.map((line) => `% ${line}`).join('\n')],
  ])('on %s they throttle no registered and no free name', (_, text) => {
    const record = 'Domain Name: a.test\nRegistrar: Example\n\n';
    expect(parseWhoisText(`${record}${text}\n`).state).toBe('registered');
    expect(parseWhoisText(`${text}\n\n${record}`).state).toBe('registered');
    expect(parseWhoisText(`NOT FOUND\n\n${text}\n`).state).toBe('not_registered');
    expect(parseWhoisText(`${text}\n\nNOT FOUND\n`).state).toBe('not_registered');
    expect(parseWhoisText(`${text}\n`).state).toBe('broken');
  });
});

describe('what is reserved besides a name', () => {
  test.each([
    'Copyright. All rights are reserved by NIC.',
    'The right to refuse is reserved by the registry.',
    'Reserved names are listed on our pages.',
    'Your request cannot be registered in our log.',
    'Reserved: no',
    'registry reserved: false',
    'Is premium support needed?',
    'The name yoru.example is reserved.',
    'The number is reserved.',
    'Use is forbidden.',
    'Querying is forbidden',
    'protected by the firewall',
    'Blocked by administrator',
    'This copy cannot be registered',
    'Premium support is premium.',
    'restricted list',
    'Unavailable',
    'Status: Forbidden',
    'Status: unavailable',
    'Domain: yoru.example\nStatus: reserved',
  ])('reserves none: %j', (text) => {
    expect(parseWhoisText(text, { domain: 'hoshi.example' }).state).toBe('broken');
  });

  test.each([
    'hoshi.example is reserved',
    'The domain is in the list of reserved names.',
    'Reserved by the registry',
    'Restricted',
    'Domain: hoshi.example\nStatus: Forbidden',
  ])('and a name that is: %j', (text) => {
    expect(parseWhoisText(text, { domain: 'hoshi.example' }).state).toBe('reserved');
  });
});

describe('the wait that a throttling registry states', () => {
  test.each([
    ['and will be replenished in 0.61 seconds', 'WHOIS query quota for 192.0.2.1 has been exceeded\n', 1],
    ['Please go away for 13 Seconds', '', 13],
    ['Too many requests, try again in 5 minutes', '', 300],
    ['Too many requests', '', null],
  ])('%s', (sentence, before, seconds) => {
    expect(parseWhoisText(before + sentence).retryAfterSeconds).toBe(seconds);
  });
});
