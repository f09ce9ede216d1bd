import type { RdapAnswer } from '../src/rdap/client.ts';
import { parseRdap } from '../src/rdap/parse.ts';

/** A property of a jCard. */
export const property = (name: string, value: unknown, parameters: object = {}) => [
  name,
  parameters,
  'text',
  value,
];
export const card = (...properties: readonly unknown[]) => ['vcard', properties];
export const event = (eventAction: unknown, eventDate: unknown) => ({ eventAction, eventDate });
export const named = (name: string) => card(property('fn', name));

/** A record with all seven fields. */
export const DOMAIN = {
  objectClassName: 'domain',
  ldhName: 'EXAMPLE.TEST.',
  status: ['client transfer prohibited', 'active', 'locked'],
  events: [
    event('last update of RDAP database', '2026-01-01T00:00:00Z'),
    event('registrar expiration', '2030-01-01T00:00:00Z'),
    event('transfer', '2020-01-01T00:00:00Z'),
    event('registration', '2001-02-03T04:05:06.789+09:00'),
    event('Expiration', '2031-02-03'),
    event('last changed', '2026-01-02t03:04:05z'),
  ],
  nameservers: [
    { ldhName: 'NS1.hosting.example.' },
    { unicodeName: 'ns.見本.example' },
    { ldhName: 'ns1.hosting.example' },
  ],
  entities: [
    { roles: ['registrant'], vcardArray: named('Somebody') },
    {
      roles: ['sponsor', 'registrar'],
      handle: '9999',
      vcardArray: named('Sample Registrar'),
    },
  ],
};

/** Reads a response about `name`, from a server that IANA's bootstrap lists or not. */
export function read(body: unknown, more: Partial<RdapAnswer> = {}, { name = 'example.test' } = {}) {
  const host = 'rdap.nic.test';
  const answer = {
    host,
    status: 200,
    isDelimited: true,
    isAuthoritative: true,
    retryAfterSeconds: undefined,
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return parseRdap({ ...answer, text, ...more }, { name });
}
