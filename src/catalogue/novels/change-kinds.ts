/** What can happen to a novel, as bots and mirrors need to know it. */
export const CHANGE_KINDS = [
  ...(['new', 'back', 'hands', 'renamed', 'episode', 'rewritten', 'withdrawn'] as const),
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];
