/** Kinds of changes of a novel, for bots and mirrors. */
export const CHANGE_KINDS = ['new', 'back', 'hands', 'renamed', 'episode', 'rewritten', 'withdrawn'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];
