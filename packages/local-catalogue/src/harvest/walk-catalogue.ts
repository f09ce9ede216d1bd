import { ServiceError } from '@mokuroku/kit';
import { describeFailure } from '@mokuroku/kit/process';
import { invalidResponse } from '@mokuroku/narou/live';
import type { NovelRecord } from '@mokuroku/narou/source';
import { japanDateTime } from '@mokuroku/narou';
import type { NovelQuery } from '@mokuroku/narou/queries';
import { unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { fieldSetCodes, stampOf } from './harvested-novel.ts';
import type { FieldSet, Site } from './harvested-novel.ts';
import { withoutForeignRows } from './foreign-rows.ts';
import { RefusedRequest } from './retrying-fetch.ts';
import { isUnreadable, readPage, searchSite } from './read-page.ts';
import type { ReadPage } from './read-page.ts';
import { PAGE_ROWS, decide, nextRequest } from './walk.ts';
import type { WalkAnswer, WalkFacts, WalkRequest, WalkState, WalkStep } from './walk.ts';
import { NOVEL_ERRORS } from '@mokuroku/narou';

interface CatalogueWalkParts {
  readonly run: HarvestRun;
  readonly site: Site;
  /** The time by which ranges are made: of the last episode, or of the last change. */
  readonly by: 'lastup' | 'lastupdate';
  readonly fieldSet: FieldSet;
  /** Number of novels of the site, which bounds the requests. */
  readonly novels: number;
  /** Number of fetched novels of a range (Unix seconds of the last episode), those of the current step included. */
  readonly countFetched: WalkFacts['countFetched'];
  /** Adds a page, so that `countFetched` counts it. Returns a function that stores it with the state after it. */
  readonly applyPage: (page: ReadPage) => (state: WalkState) => void;
}

/** The data of a walk contradict themselves: no index is built from them. */
export class IncompleteWalk extends ServiceError {
  constructor(site: Site, reason: string) {
    const next = 'No index was built, and an existing one stays. The next harvest fetches everything again.';
    super(NOVEL_ERRORS.upstream_invalid, { message: `${site}: ${reason} ${next}` });
  }
}

export async function countAll(run: HarvestRun, site: Site): Promise<number> {
  const { allCount } = await searchSite(run, site, { order: 'old', st: 1, lim: 1, of: ['n'] });
  if (allCount === undefined) throw invalidResponse('the count is missing');
  return allCount;
}

function queryOf(request: WalkRequest, { site, by, fieldSet }: CatalogueWalkParts): NovelQuery {
  const { kind, min, max, lengths, st } = request;
  const length = lengths && { min: lengths[0], max: lengths[1] };
  const bounds = { [by]: { min, max }, ...(length && { length }), order: 'old' } as const;
  if (kind === 'count') return { ...bounds, st: 1, lim: 1, of: ['n'] };
  const figures = fieldSet === 'timestamps' ? {} : ({ opt: 'weekly' } as const);
  return { ...bounds, ...figures, st, lim: PAGE_ROWS, of: fieldSetCodes(fieldSet, site) };
}

function describeRequest({ site, by }: CatalogueWalkParts, request: WalkRequest): string {
  const { kind, min, max, lengths, st } = request;
  const [from, to] = [min, max].map((seconds) => japanDateTime(seconds * 1_000));
  const rows = kind === 'count' ? 'their count' : `rows ${st} to ${st + PAGE_ROWS - 1}`;
  const characters = lengths ? `, ${lengths.join('-')} characters` : '';
  return `${site} with ${by} from ${from} to ${to}${characters}, ${rows}`;
}

/**
 * Fetches one page or the count of a range. Rejects if the first page lacks the count. The error of an unreadable
 * response names the request.
 */
async function fetchRange(parts: CatalogueWalkParts, request: WalkRequest): Promise<WalkAnswer & ReadPage> {
  try {
    const search = (each: NovelQuery) => searchSite(parts.run, parts.site, each);
    const query = queryOf(request, parts);
    const page = await withoutForeignRows(parts.run, parts.site, await readPage(search, query));
    if (areBoundsIgnored(page.items, request, parts.by))
      throw invalidResponse(`novels are outside the requested time (${parts.by})`);
    if (request.st === 1 && page.allCount === undefined) throw invalidResponse('the count is missing');
    const rows = page.lacking > 0 ? PAGE_ROWS : page.items.length + page.refused.length;
    return { ...page, items: request.kind === 'count' ? [] : page.items, rows };
  } catch (error) {
    if (!isUnreadable(error) || error instanceof RefusedRequest) throw error;
    const message = `The upstream response is unreadable: ${describeRequest(parts, request)}.`;
    throw new ServiceError(NOVEL_ERRORS.upstream_invalid, { message, cause: error.cause });
  }
}

/**
 * Whether all records are outside the bounds of their request. An upstream that ignores bounds would be walked second by
 * second, without an end. An unreadable time proves nothing.
 */
export function areBoundsIgnored(
  items: readonly NovelRecord[],
  { min, max }: Pick<WalkRequest, 'min' | 'max'>,
  by: CatalogueWalkParts['by'],
): boolean {
  const times = items.map((record) => stampOf(record)[by]);
  return times.length > 0 && times.every((time) => time !== 0 && (time < min || time > max));
}

/** Sends a request. Returns what the response means, and a function that stores its page with the next state. */
async function runStep(
  state: WalkState,
  request: WalkRequest,
  facts: WalkFacts,
  parts: CatalogueWalkParts,
): Promise<WalkStep & { readonly commit: (state: WalkState) => void }> {
  try {
    const answer = await fetchRange(parts, request);
    const commit = parts.applyPage(answer);
    return { ...decide(state, request, answer, facts), commit };
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    const step = decide(state, request, 'refused', facts);
    if (step.outcome === 'faulty') throw error;
    const reason = `${describeRequest(parts, request)}: ${describeFailure(error)}`;
    const refused = step.outcome === 'lost' ? [{ ncode: 'unknown', lastup: request.min, reason }] : [];
    return {
      ...step,
      commit: parts.applyPage({ allCount: undefined, items: [], refused, overlong: [], lacking: 0 }),
    };
  }
}

export async function walkCatalogue(state: WalkState, parts: CatalogueWalkParts): Promise<void> {
  const { run, novels, countFetched } = parts;
  for (let current = state; ;) {
    const facts = { now: unixSeconds(run.clock), novels, countFetched };
    const request = nextRequest(current, facts);
    if (request === null) return;
    run.throwIfInterrupted();
    const { state: next, outcome, commit } = await runStep(current, request, facts, parts);
    if (outcome === 'endless') {
      const last = describeRequest(parts, request);
      throw new IncompleteWalk(
        parts.site,
        `The walk was stopped: ${current.answered + 1} responses are too many for ${novels} novels. The last request: ${last}.`,
      );
    }
    commit(next);
    current = next;
  }
}
