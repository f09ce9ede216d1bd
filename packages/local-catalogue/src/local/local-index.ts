import {
  NOVEL_INDEX,
  filesInMemory,
  filesOfSegment,
  filesToVerify,
  requireIntact,
  loadGeneration,
  loadInThread,
} from '../engine/index-generations.ts';
import type { SegmentFacts } from '../engine/layout.ts';
import type { IndexGeneration } from '../engine/index-generations.ts';
import { openLoaded } from '../engine/open-index.ts';
import { DamagedFile } from '../engine/files.ts';
import type { OpenIndex } from '../engine/open-index.ts';
import { MAX_AGE_SECONDS } from '@mokuroku/narou/queries';
import { NewestGeneration, fileIdentitiesOf } from './newest-generation.ts';
import type { FolderOptions, GenerationReader, PartState, Served } from './newest-generation.ts';

/** The index in a folder: its newest complete and undamaged generation. */
export interface LocalIndex {
  /** Undefined if it is empty or outdated. */
  current(): OpenIndex | undefined;
  state(): PartState;
  facts(): { readonly records: number; readonly outdated: number; readonly generation: number };
  /**
   * After an error of a request. Damage: the generation is served until `refresh` finds another. Anything else is the
   * state of the index until `again`, the same read, succeeds.
   */
  reportFailure(error: unknown, again: () => unknown): void;
  /** Loads another generation, in another thread. Rejects if the folder is missing or cannot be read. */
  refresh(): Promise<unknown>;
  close(): void;
}

function createReader(
  dir: string,
  { now, logger, loadWorker }: FolderOptions,
): GenerationReader<IndexGeneration, OpenIndex> {
  return {
    kind: NOVEL_INDEX,
    open: (generation) => {
      requireIntact(dir, filesInMemory(generation));
      return openLoaded(dir, loadGeneration(dir, generation), now, MAX_AGE_SECONDS);
    },
    load: async (generation, before) => {
      const openFolders = before ? sharedFolders(dir, generation, before) : new Set<string>();
      const files = filesToVerify(generation, openFolders);
      const loaded = await loadInThread(loadWorker, { dir, files, load: { generation, openFolders } });
      if (loaded === undefined) throw new Error('the generation was not loaded');
      return (opened) => {
        const index = opened ?? openLoaded(dir, loaded, now, MAX_AGE_SECONDS);
        opened?.swapGeneration(loaded);
        const { records } = index.facts();
        const { number } = generation;
        logger.info({ dir, generation: number, records }, 'a new generation of the catalogue is served');
        return index;
      };
    },
    verify: (generation) => loadInThread(loadWorker, { dir, files: filesToVerify(generation) }),
  };
}

/** Opens the newest generation at once; the first `refresh` verifies its checksums. */
export function openLocalIndex(dir: string, options: FolderOptions): LocalIndex {
  const newest = new NewestGeneration(dir, options.logger, createReader(dir, options));
  const factsOf = () => newest.opened?.facts();
  let failedRead: (() => unknown) | undefined;
  const reportFailure: LocalIndex['reportFailure'] = (err, again) => {
    if (err instanceof DamagedFile) newest.discard(err);
    else if (failedRead === undefined)
      options.logger.warn({ dir, err }, 'a file of the catalogue cannot be read at present');
    failedRead = again;
  };
  const retryFailedRead = (): void => {
    try {
      failedRead?.();
      failedRead = undefined;
    } catch (error) {
      // Any other failure was reported.
      if (error instanceof DamagedFile) newest.discard(error);
    }
  };
  return {
    current: () => ((factsOf()?.records ?? 0) > 0 ? newest.opened : undefined),
    reportFailure,
    state: () => {
      const facts = factsOf();
      const state = newest.stateOf(facts && { served: facts.records, outdated: facts.outdated });
      const { opened } = newest;
      if (opened === undefined || (state !== 'served' && state !== 'behind')) return state;
      retryFailedRead();
      if (failedRead === undefined && !newest.isDamaged()) return state;
      try {
        return opened.isReadable() ? 'damaged' : 'broken';
      } catch {
        return 'unreadable';
      }
    },
    facts: () => factsOf() ?? { records: 0, outdated: 0, generation: 0 },
    refresh: newest.refresh,
    close: () => {
      newest.close();
      newest.opened?.close();
    },
  };
}

/** Folders of segments that are open already with the same files. */
function sharedFolders(
  dir: string,
  { segments }: IndexGeneration,
  { fileIdentities }: Served<IndexGeneration, OpenIndex>,
): Set<string> {
  const openFiles = new Set(fileIdentities);
  const isShared = (segment: SegmentFacts): boolean =>
    fileIdentitiesOf(dir, filesOfSegment(segment)).every((identity) => openFiles.has(identity));
  return new Set(segments.filter(isShared).map(({ folder }) => folder));
}
