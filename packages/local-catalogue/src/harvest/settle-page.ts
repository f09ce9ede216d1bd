import path from 'node:path';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { readIndex } from '../engine/build-index.ts';
import { newestGeneration } from '../engine/index-generations.ts';
import { ncodeToNumber } from '@mokuroku/narou';
import { PAGE, faultyFields, isComparable, isWitness, lookAt, settle } from './doubts.ts';
import type { HarvestEntry } from './harvest-journal.ts';
import { unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { FIGURE_NAMES, RECORD_NAMES } from './harvested-novel.ts';
import type { Figures, Site } from './harvested-novel.ts';

/** The stored records of novels. Throws DamagedFile. */
function readStored(
  { dir }: HarvestRun,
  site: Site,
  novels: readonly { readonly ncode: string }[],
): ReadonlyMap<string, CatalogueNovel> {
  const folder = path.join(dir, site);
  const numbers = new Set(novels.map(({ ncode }) => ncodeToNumber(ncode)));
  if (numbers.size === 0 || newestGeneration(folder) === null) return new Map();
  return new Map([...readIndex(folder, numbers)].map((novel) => [novel.ncode, novel]));
}

interface PageFacts {
  /** Whether rows of the page are missing or unreadable. */
  readonly isDamaged?: boolean;
  /** Novels that were requested because they have changed: they are no witnesses of what does not change. */
  readonly changed?: ReadonlySet<string>;
}

/**
 * What to store of the records, or figures, of a page. A whole record without a stored one is requested again the next
 * day: if its page has a doubt or damage, or if there is an index that lacks it. `compared`: those with a stored record
 * that is not outdated.
 */
export function settlePage<Part extends CatalogueNovel | Figures>(
  run: HarvestRun,
  site: Site,
  received: readonly Part[],
  { isDamaged = false, changed = new Set() }: PageFacts = {},
): { settled: readonly Part[]; compared: number; doubts: NonNullable<HarvestEntry['doubts']> } {
  const stored = readStored(run, site, received);
  const doubts = run.memory.doubts(site);
  const now = unixSeconds(run.clock);
  const isFirstIndex = newestGeneration(path.join(run.dir, site)) === null;
  const isWhole = received.some((part) => 'fetched_at' in part);
  const fields = isWhole ? RECORD_NAMES : FIGURE_NAMES;
  const looks = received.map((part) =>
    lookAt(part, stored.get(part.ncode), { doubt: doubts.get(part.ncode), fields, now }),
  );
  const own = looks.filter((look, at) => isWitness(look) && !changed.has(received[at]?.ncode ?? ''));
  const faulty = faultyFields(run.memory.witnesses(site, own));
  const settled = looks.map((look) => settle(look, faulty));
  const isDoubtful = isDamaged || settled.some(({ doubt }) => Object.values(doubt).includes(now));
  const entries = received.map(({ ncode }, at) => {
    const isAlone = isWhole && looks[at]?.stored['ncode'] === undefined;
    const isOfPage = isAlone && (isDoubtful || !isFirstIndex);
    return [ncode, { ...settled[at]?.doubt, ...(isOfPage && { [PAGE]: now }) }] as const;
  });
  return {
    settled: received.map((part, at) => ({ ...part, ...settled[at]?.kept })),
    compared: received.filter(({ ncode }) => isComparable(stored.get(ncode), now)).length,
    doubts: { [site]: entries },
  };
}
