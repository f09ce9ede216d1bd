/**
 * RDAP's status words to EPP's (RFC 8056, section 2), so that WHOIS and RDAP answers speak one vocabulary. Words
 * that EPP does not have (`locked`, `removed`) stay as they are.
 */
const EPP_WORDS: ReadonlyMap<string, string> = new Map([
  ['active', 'ok'],
  ['associated', 'linked'],
  ...[
    'add period',
    'auto renew period',
    'client delete prohibited',
    'client hold',
    'client renew prohibited',
    'client transfer prohibited',
    'client update prohibited',
    'inactive',
    'pending create',
    'pending delete',
    'pending renew',
    'pending restore',
    'pending transfer',
    'pending update',
    'redemption period',
    'renew period',
    'server delete prohibited',
    'server hold',
    'server renew prohibited',
    'server transfer prohibited',
    'server update prohibited',
    'transfer period',
  ].map((words): [string, string] => [words, camelCase(words)]),
]);

function camelCase(words: string): string {
  return words.replace(/ ([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function eppStatusOf(rdapStatus: string): string {
  const words = rdapStatus.trim().toLowerCase().replace(/\s+/g, ' ');
  return EPP_WORDS.get(words) ?? rdapStatus.trim();
}
