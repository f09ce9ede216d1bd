import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isOfAnother } from '@mokuroku/narou/scan';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { readIndex } from '../engine/build-index.ts';
import { DamagedIndex, newestGeneration } from '../engine/index-generations.ts';
import { ncodeToNumber } from '@mokuroku/narou';
import { PAGE, isComparable, settle } from './doubts.ts';
import type { Doubt } from './doubts.ts';
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

const WHOLE_LOOK = [...RECORD_NAMES, PAGE];

/**
 * What to store of the records, or figures, of a page: values that came back empty are kept until a second look. One
 * doubt about a whole record, or damage, makes all records of its page doubtful: they are requested again the next day,
 * as is a novel that is new to an index. `compared`: those with a stored record that is whole and not outdated.
 */
export function settlePage<Part extends CatalogueNovel | Figures>(
  run: HarvestRun,
  site: Site,
  received: readonly Part[],
  isDamaged = false,
): { readonly settled: readonly Part[]; readonly compared: number } & Pick<HarvestEntry, 'doubts'> {
  const stored = readStored(run, site, received);
  const doubts = run.memory.doubts(site);
  const now = unixSeconds(run.clock);
  const isFirstIndex = newestGeneration(path.join(run.dir, site)) === null;
  const looks = received.map((part) => {
    const { ncode } = part;
    const isWhole = 'fetched_at' in part;
    const fields = isWhole ? WHOLE_LOOK : FIGURE_NAMES;
    const look = settle({ received: part, stored: stored.get(ncode), doubt: doubts.get(ncode), fields, now });
    const isNew = Object.values(look.doubt).includes(now) || isOfAnother(part, stored.get(ncode) ?? {});
    const isOfOneLook = !isFirstIndex && !stored.has(ncode);
    return { ...look, isWhole, isNew, isOfOneLook };
  });
  const isDoubtful = isDamaged || looks.some(({ isWhole, isNew }) => isWhole && isNew);
  const doubtOf = ({ doubt, isWhole, isOfOneLook }: (typeof looks)[number]): Doubt =>
    isWhole && (isDoubtful || isOfOneLook) ? { ...doubt, [PAGE]: now } : doubt;
  const changed = looks
    .map((look) => [look.novel.ncode, doubtOf(look)] as const)
    .filter(([ncode, doubt]) => !isDeepStrictEqual(doubt, doubts.get(ncode) ?? {}));
  return {
    settled: looks.map(({ novel }) => novel),
    compared: received.filter(({ ncode }) => isComparable(stored.get(ncode), now)).length,
    ...(changed.length > 0 && { doubts: { [site]: changed } }),
  };
}
