import { isWithheld } from '../packages/whois/src/whois/parsers/status-words.ts';
import { guessState } from '../packages/whois/src/whois/parsers/patterns.ts';
import { knownSentences, patternOfRow } from '../packages/whois/src/whois/parsers/sentence-table.ts';
import { maskedForm, sentSentences } from './sentence-checks.ts';
import type { SentSentence } from './sentence-checks.ts';

/*
 * How many sentences of a registry the table would read if it had never seen that registry: a row counts only if another
 * registry sends a sentence of it, and so does each of its alternatives. Patterns and words that withhold a name, which
 * are no registry's, count too.
 */

export const LEFT_OUT = new URL('../packages/whois/fixtures/sentences/left-out.txt', import.meta.url);

const STATES = ['no', 'reserved', 'throttled'];
/** Top-level domains of hosts that serve names of others. */
const SHARED = /\.(?:com|info|net|org)$/;

/** A sentence, and for each row that reads it the alternatives that it uses. */
interface ReadSentence {
  sent: SentSentence;
  registry: string;
  matches: { used: string[] }[];
}

/** The registry of a sentence: its zone, or the domain of a server of many zones. */
function registryOf({ server, domain }: SentSentence): string {
  const name = server ?? domain;
  return name
    .split('.')
    .slice(SHARED.test(name) ? -2 : -1)
    .join('.');
}

function readSentences(): ReadSentence[] {
  const patterns = knownSentences().map((row) => ({ row, pattern: patternOfRow(row.sentence, true) }));
  return sentSentences()
    .filter(({ state }) => STATES.includes(state))
    .map((sent) => {
      const masked = `${maskedForm(sent.text, sent.domain)} `;
      const matches = patterns.flatMap(({ row, pattern }) => {
        const parts: readonly (string | undefined)[] | null = pattern.exec(masked);
        if (parts === null || row.state !== sent.state) return [];
        return [{ used: parts.flatMap((part, at) => (part === undefined ? [] : [`${row.sentence} ${at}`])) }];
      });
      return { sent, registry: registryOf(sent), matches };
    });
}

/** The sentences that the table does not read without their registry, by state: `no 150 of 160`, and each of them. */
export function leftOutReport(): string {
  const all = readSentences();
  const usersOf = new Map<string, Set<string>>();
  for (const { registry, matches } of all) {
    for (const part of matches.flatMap(({ used }) => used)) {
      usersOf.set(part, (usersOf.get(part) ?? new Set()).add(registry));
    }
  }
  const isOfOthers = (part: string, registry: string) =>
    [...(usersOf.get(part) ?? [])].some((user) => user !== registry);
  const isReadWithout = ({ registry, matches, sent: { text, domain, state } }: ReadSentence): boolean =>
    matches.some(({ used }) => used.every((part) => isOfOthers(part, registry))) ||
    guessState(maskedForm(text, domain)) === state ||
    (state === 'reserved' && isWithheld(text.replace(/^status: /i, '')));
  return STATES.flatMap((state) => {
    const ofState = all.filter(({ sent }) => sent.state === state);
    const unread = ofState.filter((each) => !isReadWithout(each));
    const lines = unread.map(({ registry, sent }) => `${state} | ${registry} | ${sent.text}\n`).sort();
    return [`${state}: ${ofState.length - unread.length} of ${ofState.length}\n`, ...lines];
  }).join('');
}
