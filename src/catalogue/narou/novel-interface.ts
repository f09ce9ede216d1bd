import type { NovelInterface, OfCode } from '../novels/of-fields.ts';
import { DEFAULT_LIM } from '../novels/search-parameters.ts';
import { canonicalQuery } from '../novels/search-query.ts';
import type { NovelQuery } from '../novels/search-query.ts';
import type { NovelPage, NovelRecord, OfSelection, ReportProblem } from '../catalogue-source.ts';
import { allCountOf, readCountedList } from './counted-list.ts';
import { novelReader } from './novel-fields.ts';
import { collectProblems } from './problems.ts';
import { transcodeNovels } from './transcode-novels.ts';
import type { NarouTransport } from './transport.ts';

/** What novelapi and novel18api do alike; they differ in path, fields and the parameters that callers may give. */
export interface NovelInterfaceClient<Query> {
  search: (query: Query) => Promise<NovelPage>;
  find: (ncodes: readonly string[], of: OfSelection) => Promise<Map<string, NovelRecord>>;
}

/** No matches are `[{"allcount":0}]` (recorded): an empty list is a fault. */
const FORM = { emptyMeansNone: false };

/** An empty `of` would mean all fields upstream; the Ncode is the least that can be asked for. */
const asked = (of: OfSelection): OfCode[] | undefined => of && (of.length === 0 ? ['n'] : [...of]);

export function createNovelInterface<Query extends NovelQuery>(
  upstream: NovelInterface,
  path: string,
  transport: NarouTransport,
  report: ReportProblem,
): NovelInterfaceClient<Query> {
  async function search(query: Query): Promise<NovelPage> {
    const upstreamQuery = canonicalQuery({ ...query, of: asked(query.of) });
    const reply = await transport.get(path, upstreamQuery, (bytes) =>
      transcodeNovels(bytes, upstream, query.of),
    );
    if ('transcoded' in reply) return reply.transcoded;
    const problems = collectProblems(upstream, report);
    const list = readCountedList(reply, problems, FORM);
    const read = novelReader(upstream, query.of, problems);
    const items = list.records.map(read);
    problems.flush();
    return { allCount: allCountOf(list, query), items };
  }

  /** Joined by Ncode, which is therefore always asked for; the upstream sorts by `order`, not as asked. */
  async function find(ncodes: readonly string[], of: OfSelection): Promise<Map<string, NovelRecord>> {
    const found = new Map<string, NovelRecord>();
    if (ncodes.length === 0) return found;
    const problems = collectProblems(upstream, report);
    // Without `lim` the upstream would give 20 of them.
    const lim = Math.max(DEFAULT_LIM, ncodes.length);
    const codes = of && [...new Set<OfCode>(['n', ...of])];
    const reply = await transport.get(path, canonicalQuery({ ncode: ncodes, lim, of: codes }));
    const { records } = readCountedList(reply, problems, FORM);
    const wanted = new Set(ncodes);
    const read = novelReader(upstream, of, problems);
    for (const raw of records) {
      const ncode = typeof raw['ncode'] === 'string' ? raw['ncode'].toUpperCase() : '';
      if (wanted.has(ncode)) found.set(ncode, read(raw));
      else problems.note('unreadable_record', 'an Ncode that was not asked for');
    }
    problems.flush();
    return found;
  }

  return { search, find };
}
