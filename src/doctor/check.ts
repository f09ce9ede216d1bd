import type { DoctorPhrase } from './phrases.ts';

/** From best to worst. `ok`; `warning`: works, but needs attention; `broken`: does not work. */
export const STATES = ['ok', 'warning', 'broken'] as const;
export type CheckState = (typeof STATES)[number];

/** Text for people: a phrase, and the values of its `{names}`. */
export interface FilledPhrase {
  readonly phrase: DoctorPhrase;
  readonly values: Readonly<Record<string, string | number>>;
}

export const fillPhrase = (phrase: DoctorPhrase, values: FilledPhrase['values'] = {}): FilledPhrase => ({
  phrase,
  values,
});

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
  readonly title: FilledPhrase;
  readonly needs?: readonly Need[];
  run(context: Context, signal: AbortSignal): Finding | Promise<Finding>;
}

/** Why a check was skipped. */
export class NotChecked extends Error {
  readonly reason: FilledPhrase;

  constructor(reason: FilledPhrase) {
    super(reason.phrase);
    this.name = 'NotChecked';
    this.reason = reason;
  }
}

const findingOf =
  (state: CheckState) =>
  (message: FilledPhrase, advice?: FilledPhrase): Finding => ({ state, message, ...(advice && { advice }) });
export const ok = findingOf('ok');
export const warning = findingOf('warning');
export const broken = findingOf('broken');

/** There was no answer to read: nothing to report about the client. */
export const unanswered = (reason: string): Finding => ({
  ...broken(fillPhrase('it does not respond ({reason})', { reason }), fillPhrase('Try again later.')),
  isUnanswered: true,
});

/** The worst of several states; without any `ok`. */
export const worstOf = (states: readonly CheckState[]): CheckState =>
  STATES.findLast((state) => states.includes(state)) ?? 'ok';
