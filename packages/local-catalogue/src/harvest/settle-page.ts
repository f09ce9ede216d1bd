import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { readIndex } from '../engine/build-index.ts';
import { DamagedIndex, newestGeneration } from '../engine/index-generations.ts';
import { ncodeToNumber } from '@mokuroku/narou';
import { isComparable, settle } from './doubts.ts';
import type { HarvestEntry } from './harvest-journal.ts';
import { unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { FIGURE_NAMES, RECORD_NAMES } from './harvested-novel.ts';
import type { Figures, Site } from './harvested-novel.ts';

/** The stored records of novels. Throws DamagedIndex, unless a walk is about to replace the index. */
function readStored(
  { dir, memory }: HarvestRun,
  site: Site,
  novels: readonly { readonly ncode: string }[],
): ReadonlyMap<string, CatalogueNovel> {
  const folder = path.join(dir, site);
  const numbers = new Set(novels.map(({ ncode }) => ncodeToNumber(ncode)));
  try {
    if (numbers.size === 0 || newestGeneration(folder) === null) return new Map();
    return new Map([...readIndex(folder, numbers)].map((novel) => [novel.ncode, novel]));
  } catch (error) {
    if (error instanceof DamagedIndex && memory.state.tasks[0]?.kind === 'walk') return new Map();
    throw error;
  }
}

/**
 * What to store of the records, or figures, of a page: values that came back empty are kept until a second look.
 * `compared`: those with a stored record that is whole and not outdated.
 */
export function settlePage<Part extends CatalogueNovel | Figures>(
  run: HarvestRun,
  site: Site,
  received: readonly Part[],
): { readonly settled: readonly Part[]; readonly compared: number } & Pick<HarvestEntry, 'doubts'> {
  const stored = readStored(run, site, received);
  const doubts = run.memory.doubts(site);
  const now = unixSeconds(run.clock);
  const looks = received.map((part) => {
    const { ncode } = part;
    const fields = 'fetched_at' in part ? RECORD_NAMES : FIGURE_NAMES;
    return settle({ received: part, stored: stored.get(ncode), doubt: doubts.get(ncode), fields, now });
  });
  const changed = looks
    .map(({ novel, doubt }) => [novel.ncode, doubt] as const)
    .filter(([ncode, doubt]) => !isDeepStrictEqual(doubt, doubts.get(ncode) ?? {}));
  return {
    settled: looks.map(({ novel }) => novel),
    compared: received.filter(({ ncode }) => isComparable(stored.get(ncode), now)).length,
    ...(changed.length > 0 && { doubts: { [site]: changed } }),
  };
}
