import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';

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

/** Their names for readers, in feeds and in a terminal. */
export const CHANGE_NAMES: Readonly<Record<ChangeKind, Text>> = {
  new: text('New', '新作'),
  restored: text('Restored', '再公開'),
  author_changed: text('New author', '作者変更'),
  renamed: text('Renamed', '改題'),
  episode: text('Episode', '最新話'),
  rewritten: text('Rewritten', '改稿'),
  withdrawn: text('Withdrawn', '公開終了'),
};

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
