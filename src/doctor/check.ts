import { text } from '../process/text.ts';
import type { Text } from '../process/text.ts';

/** From best to worst. `ok`; `warning`: works, but needs attention; `broken`: does not work. */
export const STATES = ['ok', 'warning', 'broken'] as const;
export type CheckState = (typeof STATES)[number];

export const GROUPS = ['here', 'novel-site', 'open-points', 'registries'] as const;
export type Group = (typeof GROUPS)[number];

/** What checks cannot do without. The check that finds it missing says why; the checks that need it are skipped. */
export interface Need {
  missing?: Text | undefined;
}

export interface Finding {
  readonly state: CheckState;
  readonly message: Text;
  readonly advice?: Text | undefined;
  /** The upstream's answer to an open point. */
  readonly answer?: string;
  /** True if there was no answer, which may be temporary: the finding says nothing lasting about the upstream. */
  readonly isUnanswered?: boolean;
}

export interface Check {
  readonly id: string;
  readonly group: Group;
  readonly needs: readonly Need[];
  readonly title: Text;
  run(signal: AbortSignal): Finding | Promise<Finding>;
}

/** A check without what all checks of its list have in common. */
export type Row = Omit<Check, 'group' | 'needs'> & Partial<Pick<Check, 'needs'>>;

/** A row's own needs are added to those of the list. */
export const checksOf = (group: Group, needs: readonly Need[], rows: readonly Row[]): Check[] =>
  rows.map((row) => ({ ...row, group, needs: [...needs, ...(row.needs ?? [])] }));

const findingOf =
  (state: CheckState) =>
  (message: Text, advice?: Text): Finding => ({ state, message, advice });
export const ok = findingOf('ok');
export const warning = findingOf('warning');
export const broken = findingOf('broken');

/** Advice about an answer that was read. */
export const REPORT_IT = text(
  'Report it, with the version of mokuroku: it must be adapted.',
  'mokuroku の版と合わせて報告してください。修正が必要です。',
);

/** There was no answer to read. */
export const unanswered = (finding: Finding): Finding => ({ ...finding, isUnanswered: true });

export const TRY_LATER = text('Try again later.', '後でもう一度お試しください。');

/** The present data of the upstream do not decide. */
export const UNDETERMINED = unanswered(ok(text('cannot be determined today', '今日は判定できません')));
