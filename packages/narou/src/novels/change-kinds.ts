/** Kinds of changes of a novel, for bots and mirrors. */
export const CHANGE_KINDS = [
  'new',
  'restored',
  'author_changed',
  'renamed',
  'episode',
  'rewritten',
  'withdrawn',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The fields whose changes are events, by their published names. Points and readers change daily. */
export const CHANGED_FIELDS = [
  'title',
  'userid',
  'writer',
  'story',
  'biggenre',
  'genre',
  'keyword',
  'noveltype',
  'end',
  'general_all_no',
  'length',
  'isstop',
  'isr15',
  'isbl',
  'isgl',
  'iszankoku',
  'istensei',
  'istenni',
  'novelupdated_at',
] as const;
export type ChangedField = (typeof CHANGED_FIELDS)[number];
