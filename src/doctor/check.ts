import type { DoctorPhrase } from './phrases.ts';

/** From best to worst. `ok`; `warning`: works, but needs attention; `broken`: does not work. */
export const STATES = ['ok', 'warning', 'broken'] as const;
export type CheckState = (typeof STATES)[number];

/** The values of the `{names}` in a phrase. */
type Values = Readonly<Record<string, string | number>>;

/** Text for people. */
export interface FilledPhrase {
  readonly phrase: DoctorPhrase;
  readonly values: Values;
}

/** What the upstream did at a point that its manuals leave open, and what was expected. */
interface AnsweredPoint {
  readonly answer: string;
  /** The embedded sample's answer; null if it has none. */
  readonly assumed: string | null;
  /** The answers that the client reads correctly; null: any. */
  readonly expected: readonly string[] | null;
}

export interface Finding {
  readonly state: CheckState;
  readonly message: FilledPhrase;
  readonly advice?: FilledPhrase;
  readonly point?: AnsweredPoint;
  /** True if there was no answer, which may be temporary: the finding says nothing lasting about the upstream. */
  readonly isUnanswered?: boolean;
  /** A need that this finding shows to be unmet: the checks with this need are skipped. */
  readonly unmet?: Need;
}

/** What a check cannot do without, and why it is skipped if that is missing. */
export const NEEDS = {
  network: 'no network: no server has an address',
  registries: 'the registries do not respond',
} as const satisfies Record<string, DoctorPhrase>;
export type Need = keyof typeof NEEDS;

export const GROUPS = ['here', 'novel-site', 'open-points', 'registries'] as const;
export type Group = (typeof GROUPS)[number];

/** One check. `run` throws NotChecked if the check is not possible. */
export interface Check<Context> {
  readonly id: string;
  readonly group: Group;
  readonly title: DoctorPhrase;
  readonly titleValues?: Values;
  readonly needs?: readonly Need[];
  run(context: Context, signal: AbortSignal): Finding | Promise<Finding>;
}

/** A check without what all checks of its list have in common. */
export type Row<Context> = Omit<Check<Context>, 'group'>;

export const checksOf = <Context>(
  common: Pick<Check<Context>, 'group' | 'needs'>,
  rows: readonly Row<Context>[],
): Check<Context>[] => rows.map((row) => ({ ...common, ...row }));

/** Why a check was skipped. */
export class NotChecked extends Error {
  readonly reason: FilledPhrase;

  constructor(phrase: DoctorPhrase) {
    super(phrase);
    this.name = 'NotChecked';
    this.reason = { phrase, values: {} };
  }
}

const findingOf =
  (state: CheckState) =>
  /** `values` are those of both phrases. */
  (message: DoctorPhrase, values: Values = {}, advice?: DoctorPhrase): Finding => ({
    state,
    message: { phrase: message, values },
    ...(advice && { advice: { phrase: advice, values } }),
  });
export const ok = findingOf('ok');
export const warning = findingOf('warning');
export const broken = findingOf('broken');

/** There was no answer to read: nothing to report about the client. */
export const unanswered = (reason: string): Finding => ({
  ...broken('it does not respond ({reason})', { reason }, 'Try again later.'),
  isUnanswered: true,
});

/** The worst of several states; without any `ok`. */
export const worstOf = (states: readonly CheckState[]): CheckState =>
  STATES.findLast((state) => states.includes(state)) ?? 'ok';
