import { parseRdap } from '../../packages/whois/src/rdap/parse.ts';
import { parseWhoisText } from '../../packages/whois/src/whois/parsers/parse-whois-text.ts';

/** Ten wordings of a denial, as sent by .com, .de, .fr, .cn and others. */
const DENIALS: readonly ((name: string) => string)[] = [
  (name) =>
    `No match for "${name.toUpperCase()}".\r\n>>> Last update of WHOIS database: 2030-01-02T03:04:05Z <<<\r\n`,
  (name) => `Domain not found.\n\nQuery: ${name}\n`,
  (name) => `${name} is free\n`,
  (name) => `Domain: ${name}\nStatus: free\n`,
  (name) => `%% [192.0.2.1 REQUEST] >> ${name}\n\n%% No entries found in the AFNIC Database.\n`,
  (name) => `Not found: ${name}.\n`,
  (name) => `The domain '${name}' was not found!\n`,
  (name) => `Domain Name: ${name}\nDomain Status: No Object Found\n`,
  (name) => `No entries found for query "${name}".\n`,
  (name) => `The queried object does not exist: ${name}\n`,
];

const RECORD = (name: string): string =>
  `Domain Name: ${name}\nRegistrar: Kamome Names Ltd.\nCreation Date: 2020-01-02\nName Server: ns1.umi.test\n`;

/**
 * Misreadings caused by a queried name that consists of a word: none are allowed. Every word is tried in `wordings`
 * of the ten, in turn, in an RDAP error object and in a record.
 */
export function misreadNames(words: Iterable<string>, wordings = DENIALS.length): string[] {
  const misread: string[] = [];
  let turn = 0;
  for (const word of words) {
    const name = turn % 2 === 0 ? `${word}.com` : `${word}-24-hours.de`;
    for (let at = 0; at < wordings; at++) {
      const text = DENIALS[(turn + at) % DENIALS.length]?.(name) ?? '';
      const { state } = parseWhoisText(text, { domain: name });
      if (state !== 'not_registered') misread.push(`${state}: ${text}`);
    }
    const { state } = parseWhoisText(RECORD(name), { domain: name });
    if (state !== 'registered') misread.push(`${state}: ${RECORD(name)}`);
    const rdap = rdapState(name, turn);
    if (rdap !== 'not_registered') misread.push(`RDAP ${rdap}: ${name}`);
    turn++;
  }
  return misread;
}

const RDAP_DENIALS: readonly ((name: string) => string)[] = [
  (name) => `Domain ${name} not found`,
  (name) => `Unable to find domain ${name}`,
  (name) => `No RDAP record exists for ${name}`,
  (name) => `${name.toUpperCase()}. was not found in registry database`,
];

function rdapState(name: string, turn: number): string {
  const text = JSON.stringify({
    errorCode: 404,
    title: 'Not Found',
    description: [RDAP_DENIALS[turn % RDAP_DENIALS.length]?.(name)],
  });
  const answer = {
    host: 'rdap.nic.test',
    status: 404,
    text,
    isDelimited: true,
    retryAfterSeconds: undefined,
  };
  return parseRdap({ ...answer, isAuthoritative: true }, { name }).state;
}
