// The interface of a source of novels.

export type {
  CatalogueSource,
  ChangesPage,
  ChangesQuery,
  FoundNovel,
  LocalQueries,
  NovelRecord,
  NovelSource,
  NovelStream,
  OfSelection,
  OverlongText,
  Provenance,
  ReportProblem,
  SearchPage,
  SourceProblem,
  Sourced,
  StreamBatch,
} from './catalogue-source.ts';
