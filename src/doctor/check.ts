import type { DoctorPhrase } from './phrases.ts';

/** `ok`; `look`: works, but needs attention; `broken`: does not work. */
export type CheckState = 'ok' | 'look' | 'broken';

/** Text for people: a phrase, and the values of its `{names}`. */
export interface FilledPhrase {
  readonly phrase: DoctorPhrase;
  readonly values: Readonly<Record<string, string | number>>;
}

export const fillPhrase = (phrase: DoctorPhrase, values: FilledPhrase['values'] = {}): FilledPhrase => ({
  phrase,
  values,
});

/** A point that the manuals leave open: the request, the response, and the expectation. */
export interface AnsweredPoint {
  readonly answer: string;
  /** The embedded sample's answer; null if it has none. */
  readonly assumed: string | null;
  /** The answers that the client reads correctly; null: any. */
  readonly expected: readonly string[] | null;
}

export interface Finding {
  readonly state: CheckState;
  readonly found: FilledPhrase;
  readonly advice?: FilledPhrase;
  readonly point?: AnsweredPoint;
  /** True: a missing response proves nothing lasting about the upstream. */
  readonly isUnanswered?: boolean;
}

export const GROUPS = ['here', 'novel-site', 'open-points', 'registries'] as const;
export type Group = (typeof GROUPS)[number];

/** One check. `Context` holds what it needs; it may throw NotChecked. */
export interface Check<Context> {
  readonly id: string;
  readonly group: Group;
  readonly title: FilledPhrase;
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

export const ok = (found: FilledPhrase): Finding => ({ state: 'ok', found });
export const look = (found: FilledPhrase, advice?: FilledPhrase): Finding => ({
  state: 'look',
  found,
  ...(advice && { advice }),
});
export const broken = (found: FilledPhrase, advice?: FilledPhrase): Finding => ({
  state: 'broken',
  found,
  ...(advice && { advice }),
});

const ORDER: readonly CheckState[] = ['ok', 'look', 'broken'];

/** The worst of several states. */
export const worstOf = (states: Iterable<CheckState>): CheckState =>
  [...states].reduce<CheckState>(
    (worst, state) => (ORDER.indexOf(state) > ORDER.indexOf(worst) ? state : worst),
    'ok',
  );
