import { ServiceError } from '../../errors.ts';
import { ncodeFromNumber } from '../novels/ncode.ts';
import { firstLook, isConfirmed } from './doubts.ts';
import type { Doubt } from './doubts.ts';
import { unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { STAMP_CODES, stampOf } from './harvested-novel.ts';
import type { Site } from './harvested-novel.ts';
import { searchSite } from './walk-catalogue.ts';
import { writeReport } from './write-report.ts';

/** The Ncodes of a proof with their witnesses take a URL of less than 1,000 characters. */
const ASKED_AT_ONCE = 50;
const MIN_WITNESSES = 15;
/** After so many requests for single novels without a proof, the upstream proves nothing today. */
const MAX_UNPROVEN = 3;

/** Novels that were listed a moment ago, from all parts of the list. */
function chooseWitnesses({ random }: HarvestRun, listed: readonly number[], asked: number): string[] {
  const count = Math.min(listed.length, Math.max(MIN_WITNESSES, asked + 1));
  const offset = random();
  return Array.from({ length: count }, (_, index) =>
    ncodeFromNumber(listed[Math.floor(((index + offset) * listed.length) / count)] as number),
  );
}

/** Witnesses at both ends and between: a list that the upstream cuts anywhere lacks one. */
export function amongWitnesses(asked: readonly string[], witnesses: readonly string[]): string[] {
  const gaps = witnesses.length - 1;
  const bound = (index: number) => (gaps === 0 ? asked.length : Math.floor((index * asked.length) / gaps));
  return witnesses.flatMap((witness, index) => [
    ...asked.slice(index === 0 ? 0 : bound(index - 1), bound(index)),
    witness,
  ]);
}

/** The novels of these that the upstream returns, each once and no other; null for any other response. */
async function fetchReturned(
  run: HarvestRun,
  site: Site,
  ncodes: readonly string[],
): Promise<ReadonlySet<string> | null> {
  try {
    const query = { ncode: ncodes, order: 'old', st: 1, lim: ncodes.length, of: STAMP_CODES } as const;
    const { items, unreadable = 0 } = await searchSite(run, site, query);
    const returned = new Set(items.map((row) => stampOf(row)?.ncode));
    const requested = new Set<string | undefined>(ncodes);
    const isExact = returned.size === items.length && [...returned].every((ncode) => requested.has(ncode));
    return isExact && unreadable === 0 ? (returned as Set<string>) : null;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'upstream_invalid') return null;
    throw error;
  }
}

/**
 * The novels that the upstream provably does not return: each request contains witnesses, and proves something only if
 * all of them come, once each. Otherwise fewer are requested at once.
 */
async function findDenied(
  run: HarvestRun,
  site: Site,
  asked: readonly string[],
  listed: readonly number[],
): Promise<string[]> {
  const denied: string[] = [];
  let size = ASKED_AT_ONCE;
  let unproven = 0;
  for (let at = 0; at < asked.length && listed.length > 0 && unproven < MAX_UNPROVEN;) {
    const part = asked.slice(at, at + size);
    const witnesses = chooseWitnesses(run, listed, part.length);
    const returned = await fetchReturned(run, site, amongWitnesses(part, witnesses));
    const isProof = returned !== null && witnesses.every((witness) => returned.has(witness));
    if (isProof) denied.push(...part.filter((ncode) => !returned.has(ncode)));
    unproven = isProof ? 0 : size === 1 ? unproven + 1 : unproven;
    if (isProof || size === 1) at += size;
    else size = Math.ceil(size / 2);
  }
  if (unproven > 0)
    run.logger.warn(
      { site, novels: asked.length },
      'requests by Ncode do not return novels that were listed a moment ago: nothing is withdrawn by them',
    );
  return denied;
}

/**
 * Withdraws novels of a site: the only function that does. `missing` are the Ncodes of stored novels that a walk did
 * not list and a request by Ncode did not return; `listed` is what the walk did list, as numbers. A novel is withdrawn
 * if a proof that the upstream does not return it is confirmed by a second one; until then it stays.
 */
export async function withdrawNovels(
  run: HarvestRun,
  site: Site,
  missing: readonly string[],
  listed: Iterable<number>,
): Promise<void> {
  const { memory, clock } = run;
  const denied = missing.length === 0 ? [] : await findDenied(run, site, missing, [...listed]);
  const now = unixSeconds(clock);
  const stillMissing = new Set(missing);
  const doubts: [string, Doubt][] = [];
  for (const [ncode, { ncode: first, ...others }] of memory.doubts(site))
    if (first !== undefined && !stillMissing.has(ncode)) doubts.push([ncode, others]);
  const gone: string[] = [];
  for (const ncode of denied) {
    const doubt = memory.doubts(site).get(ncode);
    if (isConfirmed(doubt?.['ncode'], now)) gone.push(ncode);
    else doubts.push([ncode, { ...doubt, ncode: firstLook(doubt?.['ncode'], now) }]);
  }
  memory.commit({ site, gone, doubts: { [site]: doubts } });
  writeReport(run, site, { pending: countPending(memory.doubts(site)) });
}

/** By field: the number of novels that wait for a second look. */
function countPending(doubts: ReadonlyMap<string, Doubt>): Readonly<Record<string, number>> {
  const pending: Record<string, number> = {};
  for (const doubt of doubts.values())
    for (const field of Object.keys(doubt)) pending[field] = (pending[field] ?? 0) + 1;
  return pending;
}
