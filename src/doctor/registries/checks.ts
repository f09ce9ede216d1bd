import { ServiceError } from '../../errors.ts';
import type { Hop } from '../../registration/look-up/hops.ts';
import { randomLabel } from '../../registration/look-up/witnesses.ts';
import { NotChecked, broken, warning, ok, fillPhrase } from '../check.ts';
import type { Check, Finding } from '../check.ts';
import { differencesOf } from './bootstrap.ts';
import { PROBED } from './registries.ts';
import type { Registries } from './registries.ts';

type RegistryResult = { readonly hops: readonly Hop[] } & (
  | { readonly state: 'registered' | 'not_registered' | 'reserved'; readonly protocol: string }
  | { readonly state: 'unanswered' | 'unreadable'; readonly reason: string }
);

/** Temporary failures, which prove nothing about how a registry is read. */
const TEMPORARY = new Set(['registry_rate_limited', 'registry_timeout', 'registry_unavailable']);

/** Outcomes of servers that sent nothing to read. */
const UNANSWERED = new Set<Hop['outcome']>(['timeout', 'unreachable', 'forbidden_address', 'paused', 'busy']);

/** The outcome of a look-up in one word. Its text may name persons and is not reported. */
async function lookUpResult(registries: Registries, name: string): Promise<RegistryResult> {
  try {
    const { state, protocol, hops } = await registries.lookUp(name);
    return { state, protocol, hops };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const details = error.details as { hops?: readonly Hop[]; protocol?: string } | undefined;
    const { hops = [], protocol = '' } = details ?? {};
    if (error.code === 'not_registered') return { state: 'not_registered', protocol, hops };
    const last = hops.at(-1);
    const reason = last ? `${error.code}: ${last.role} ${last.outcome}` : error.code;
    const isUnread = hops.some(({ outcome }) => outcome === 'broken' || outcome === 'bad_answer');
    const isAnswered = hops.some(({ outcome }) => !UNANSWERED.has(outcome));
    const isRead = isUnread || (isAnswered && !TEMPORARY.has(error.code));
    return { state: isRead ? 'unreadable' : 'unanswered', reason, hops };
  }
}

/** Records the root's referrals. */
function noteRoot(registries: Registries, tld: string, hops: readonly Hop[]): void {
  const root = hops.find(({ role }) => role === 'root');
  if (root?.outcome === 'no_referral') registries.rootReferrals.set(tld, null);
  const registry = hops.find(({ role, protocol }) => role === 'registry' && protocol === 'whois');
  if (root?.outcome === 'referral' && registry) registries.rootReferrals.set(tld, registry.server);
}

const REPORT = fillPhrase('Report it, with the version of mokuroku: the parser must be adapted.');

/** The worse result of two look-ups at a registry. */
function judgePair(registered: RegistryResult, free: RegistryResult): Finding {
  const result = `${registered.state}, ${free.state}`;
  if (registered.state === 'registered' && free.state === 'not_registered') {
    return ok(
      fillPhrase('registered and not registered, over {protocol}', { protocol: registered.protocol }),
    );
  }
  // Neither the name of a registry nor a random one is reserved.
  const isHeldWrong = registered.state === 'not_registered' || registered.state === 'reserved';
  if (isHeldWrong || free.state === 'registered' || free.state === 'reserved') {
    return broken(fillPhrase('a name is parsed incorrectly: {result}', { result }), REPORT);
  }
  const reasons = [registered, free].flatMap((each) => ('reason' in each ? [each.reason] : []));
  const message = fillPhrase('{result} ({reason})', { result, reason: reasons.join('; ') });
  if (registered.state === 'unreadable' || free.state === 'unreadable') return broken(message, REPORT);
  const advice = fillPhrase('The registry may limit this address, or a firewall port 43. Try again later.');
  return { ...warning(message, advice), isUnanswered: true };
}

/** After this many registries in a row without an answer the others are not queried. */
const MAX_UNANSWERED = 5;

const registryCheck = ({ registered, zone }: (typeof PROBED)[number]): Check<Registries> => {
  const tld = registered.slice(registered.lastIndexOf('.') + 1);
  return {
    id: `registry-${tld}`,
    group: 'registries',
    needs: ['network', 'registries'],
    title: fillPhrase('.{tld}: a registered and a random name', { tld }),
    run: async (registries) => {
      const first = await lookUpResult(registries, registered);
      const second = await lookUpResult(registries, `${randomLabel(registries.random)}.${zone}`);
      noteRoot(registries, tld, first.hops);
      const finding = judgePair(first, second);
      registries.unansweredInRow = finding.isUnanswered ? registries.unansweredInRow + 1 : 0;
      return registries.unansweredInRow < MAX_UNANSWERED ? finding : { ...finding, unmet: 'registries' };
    },
  };
};

const ROOT: Check<Registries> = {
  id: 'root-zone',
  group: 'registries',
  needs: ['network'],
  title: fillPhrase('Bundled WHOIS servers compared with the root'),
  run: ({ rootReferrals, rootWhoisOf, rootZoneDate: date }) => {
    const referrals = [...rootReferrals];
    if (referrals.length === 0) {
      return {
        ...broken(fillPhrase('the root does not respond'), fillPhrase('Is port 43 open to whois.iana.org?')),
        isUnanswered: true,
      };
    }
    const differing = referrals
      .filter(([tld, server]) => (rootWhoisOf(tld) ?? null) !== server)
      .map(([tld]) => tld);
    const values = { date, count: referrals.length, zones: differing.join(' ') };
    return differing.length === 0
      ? ok(fillPhrase('all {count} queried zones match the table of {date}', values))
      : warning(
          fillPhrase('the table of {date} is outdated for {zones}', values),
          fillPhrase('Update mokuroku. The root is queried first in any case.'),
        );
  },
};

/** Beyond a tenth of changed zones, the bundled list is outdated. */
const MAX_DIFFERING = 0.1;

const BOOTSTRAP: Check<Registries> = {
  id: 'bootstrap',
  group: 'registries',
  needs: ['network'],
  title: fillPhrase("Bundled RDAP bootstrap compared with today's"),
  run: async ({ bundled, fetchBootstrap }, signal) => {
    if (fetchBootstrap === undefined) throw new NotChecked(fillPhrase('RDAP_BOOTSTRAP is a file'));
    const today = await fetchBootstrap(signal).catch(() => undefined);
    if (today === undefined) {
      const advice = fillPhrase('Look-ups use the bundled one. Can this machine fetch RDAP_BOOTSTRAP?');
      return { ...warning(fillPhrase('it cannot be fetched'), advice), isUnanswered: true };
    }
    const { zones, differing } = differencesOf(bundled, today);
    const values = {
      zones,
      differing: differing.length,
      bundled: bundled.publication.slice(0, 10),
      today: today.publication.slice(0, 10),
    };
    const message = fillPhrase('{differing} of {zones} zones differ between {bundled} and {today}', values);
    return differing.length > zones * MAX_DIFFERING
      ? warning(message, fillPhrase('Update mokuroku. While running it fetches the list daily.'))
      : ok(message);
  },
};

/** The root last: its referrals are recorded by the other checks. */
export const REGISTRY_CHECKS: readonly Check<Registries>[] = [BOOTSTRAP, ...PROBED.map(registryCheck), ROOT];
