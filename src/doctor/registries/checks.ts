import { ServiceError } from '../../errors.ts';
import bundledBootstrap from '../../registration/look-up/data/rdap-bootstrap.json' with { type: 'json' };
import { builtInTable } from '../../registration/look-up/services.ts';
import { readBootstrap } from '../../registration/rdap/bootstrap.ts';
import type { Hop } from '../../registration/look-up/hops.ts';
import { randomLabel } from '../../registration/look-up/witnesses.ts';
import { NotChecked, broken, checksOf, ok, warning } from '../check.ts';
import type { Check, Finding, Row } from '../check.ts';
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

const REPORT = 'Report it, with the version of mokuroku: the parser must be adapted.';

/** The worse result of two look-ups at a registry. */
function judgePair(registered: RegistryResult, free: RegistryResult): Finding {
  const result = `${registered.state}, ${free.state}`;
  if (registered.state === 'registered' && free.state === 'not_registered') {
    return ok('registered and not registered, over {protocol}', { protocol: registered.protocol });
  }
  // Neither the name of a registry nor a random one is reserved.
  const isHeldWrong = registered.state === 'not_registered' || registered.state === 'reserved';
  if (isHeldWrong || free.state === 'registered' || free.state === 'reserved') {
    return broken('a name is parsed incorrectly: {result}', { result }, REPORT);
  }
  const reasons = [registered, free].flatMap((each) => ('reason' in each ? [each.reason] : []));
  const values = { result, reason: reasons.join('; ') };
  if (registered.state === 'unreadable' || free.state === 'unreadable')
    return broken('{result} ({reason})', values, REPORT);
  const advice = 'The registry may limit this address, or a firewall port 43. Try again later.';
  return { ...warning('{result} ({reason})', values, advice), isUnanswered: true };
}

/** After this many registries in a row without an answer the others are not queried. */
const MAX_UNANSWERED = 5;

const registryCheck = (registered: string): Row<Registries> => {
  const tld = registered.slice(registered.lastIndexOf('.') + 1);
  // Nothing is registered directly below .br.
  const zone = tld === 'br' ? 'com.br' : tld;
  return {
    id: `registry-${tld}`,
    needs: ['network', 'registries'],
    title: '.{tld}: a registered and a random name',
    titleValues: { tld },
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

const ROOT: Row<Registries> = {
  id: 'root-zone',
  title: 'Bundled WHOIS servers compared with the root',
  run: ({ rootReferrals }) => {
    const { rootWhoisOf, rootZoneDate: date } = builtInTable;
    const referrals = [...rootReferrals];
    if (referrals.length === 0) {
      const finding = broken('the root does not respond', {}, 'Is port 43 open to whois.iana.org?');
      return { ...finding, isUnanswered: true };
    }
    const differing = referrals.filter(([tld, server]) => (rootWhoisOf(tld) ?? null) !== server);
    if (differing.length === 0)
      return ok('all {count} queried zones match the table of {date}', { date, count: referrals.length });
    const zones = differing.map(([tld]) => tld).join(' ');
    const advice = 'Update mokuroku. The root is queried first in any case.';
    return warning('the table of {date} is outdated for {zones}', { date, zones }, advice);
  },
};

/** Beyond a tenth of changed zones, the bundled list is outdated. */
const MAX_DIFFERING = 0.1;

const BOOTSTRAP: Row<Registries> = {
  id: 'bootstrap',
  title: "Bundled RDAP bootstrap compared with today's",
  run: async ({ fetchBootstrap }, signal) => {
    if (fetchBootstrap === undefined) throw new NotChecked('RDAP_BOOTSTRAP is a file');
    const today = await fetchBootstrap(signal).catch(() => undefined);
    if (today === undefined) {
      const advice = 'Look-ups use the bundled one. Can this machine fetch RDAP_BOOTSTRAP?';
      return { ...warning('it cannot be fetched', {}, advice), isUnanswered: true };
    }
    const bundled = readBootstrap(bundledBootstrap);
    const zones = [...new Set([...bundled.zones, ...today.zones])];
    const differing = zones.filter((zone) => bundled.basesFor(zone).join() !== today.basesFor(zone).join());
    const values = {
      zones: zones.length,
      differing: differing.length,
      bundled: bundled.publication.slice(0, 10),
      today: today.publication.slice(0, 10),
    };
    const message = '{differing} of {zones} zones differ between {bundled} and {today}';
    return differing.length > zones.length * MAX_DIFFERING
      ? warning(message, values, 'Update mokuroku. While running it fetches the list daily.')
      : ok(message, values);
  },
};

/** The root last: its referrals are recorded by the other checks. */
export const REGISTRY_CHECKS: readonly Check<Registries>[] = checksOf(
  { group: 'registries', needs: ['network'] },
  [BOOTSTRAP, ...PROBED.map(registryCheck), ROOT],
);
