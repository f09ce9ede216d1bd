// The door of `mokuroku-whois/parse`: the parser of WHOIS texts alone, without look-ups and their data.

export type {
  Evidence,
  ParsedRegistration,
  RegistrationReading,
  RegistrationState,
} from './record/registration-record.ts';
export { parseWhoisText as parseWhois } from './whois/parsers/parse-whois-text.ts';
export type { WhoisHints } from './whois/parsers/parse-whois-text.ts';
