import { ServiceError } from '../errors.ts';
import { withSignal } from '../process/with-signal.ts';
import { NEEDS, NotChecked, broken, unanswered } from './check.ts';
import type { Check, Finding, FilledPhrase, Need } from './check.ts';

/** Result of one check: a finding, or why there is none. */
export type CheckOutcome = Pick<Check<never>, 'id' | 'group'> & { readonly title: FilledPhrase } & (
    { readonly finding: Finding } | { readonly reason: FilledPhrase }
  );

interface RunOptions {
  /** Aborted by Ctrl-C: the remaining checks are skipped. */
  readonly signal: AbortSignal;
  /** Timeout of one check, with its waits. */
  readonly timeoutMs: number;
  readonly onOutcome: (outcome: CheckOutcome) => void;
  /** Needs that earlier checks found to be unmet; those of this run are added. */
  readonly unmet: Set<Need>;
}

/** Runs checks one after the other, each with a timeout. Never rejects. */
export async function runChecks<Context>(
  checks: readonly Check<Context>[],
  context: Context,
  options: RunOptions,
): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const check of checks) {
    const outcome = await runCheck(check, context, options);
    if ('finding' in outcome && outcome.finding.unmet) options.unmet.add(outcome.finding.unmet);
    outcomes.push(outcome);
    options.onOutcome(outcome);
  }
  return outcomes;
}

/** Checked again after a wait, during which it may have changed. */
const isAborted = ({ aborted }: AbortSignal): boolean => aborted;

async function runCheck<Context>(
  check: Check<Context>,
  context: Context,
  { signal, timeoutMs, unmet }: RunOptions,
): Promise<CheckOutcome> {
  const { id, group, title: phrase, titleValues: values = {} } = check;
  const about = { id, group, title: { phrase, values } };
  const skipped = ({ reason }: NotChecked): CheckOutcome => ({ ...about, reason });
  if (isAborted(signal)) return skipped(new NotChecked('interrupted'));
  const need = check.needs?.find((each) => unmet.has(each));
  if (need) return skipped(new NotChecked(NEEDS[need]));
  const either = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const finding = await withSignal((async () => check.run(context, either))(), either);
    return { ...about, finding };
  } catch (error) {
    if (isAborted(signal)) return skipped(new NotChecked('interrupted'));
    if (error instanceof NotChecked) return skipped(error);
    if (either.aborted) {
      const seconds = Math.ceil(timeoutMs / 1_000);
      const finding = broken('no response within {seconds} s', { seconds });
      return { ...about, finding: { ...finding, isUnanswered: true } };
    }
    if (error instanceof ServiceError && error.code !== 'upstream_invalid') {
      return { ...about, finding: unanswered(error.code) };
    }
    const { name, code } = error as NodeJS.ErrnoException;
    // Its message may contain a file name or an address of this machine.
    return { ...about, finding: broken('the check itself failed: {reason}', { reason: code ?? name }) };
  }
}
