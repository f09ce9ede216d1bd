import { ServiceError } from '../errors.ts';
import { withSignal } from '../process/with-signal.ts';
import { REPORT_IT, TRY_LATER, broken, unanswered } from './check.ts';
import type { Check, Finding } from './check.ts';
import { text } from '../process/text.ts';
import type { Text } from '../process/text.ts';

/** Result of one check: a finding, or why it was skipped. */
export type CheckOutcome = Pick<Check, 'id' | 'group' | 'title'> & {
  readonly result: Finding | { readonly skipped: Text };
};

interface RunOptions {
  /** Aborted by Ctrl-C: the remaining checks are skipped. */
  readonly signal: AbortSignal;
  /** Timeout of one check, with its waits. */
  readonly timeoutMs: number;
  readonly onOutcome: (outcome: CheckOutcome) => void;
}

/** Runs checks one after the other, each with a timeout. Never rejects. */
export async function runChecks(checks: readonly Check[], options: RunOptions): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const check of checks) {
    const { id, group, title } = check;
    const outcome = { id, group, title, result: await runCheck(check, options) };
    outcomes.push(outcome);
    options.onOutcome(outcome);
  }
  return outcomes;
}

async function runCheck(check: Check, { signal, timeoutMs }: RunOptions): Promise<CheckOutcome['result']> {
  const findMissing = (): Text | undefined =>
    signal.aborted ? text('interrupted', '中断') : check.needs.find(({ missing }) => missing)?.missing;
  const missing = findMissing();
  if (missing) return { skipped: missing };
  const either = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return await withSignal((async () => check.run(either))(), either);
  } catch (error) {
    // A need that was lost during the check explains its failure.
    const lost = findMissing();
    if (lost) return { skipped: lost };
    const seconds = Math.ceil(timeoutMs / 1_000);
    if (either.aborted) {
      const message = text(`no response within ${seconds} s`, `${seconds} 秒以内に応答がありません`);
      return unanswered(broken(message, TRY_LATER));
    }
    const reason = causesOf(error);
    if (!(error instanceof ServiceError)) {
      return broken(text(`the check itself failed: ${reason}`, `検査が失敗しました: ${reason}`));
    }
    return error.code === 'upstream_invalid'
      ? broken(text(`the client cannot read it: ${reason}`, `読めません: ${reason}`), REPORT_IT)
      : unanswered(
          broken(text(`it does not respond (${reason})`, `応答がありません（${reason}）`), TRY_LATER),
        );
  }
}

/** The codes of an error and its causes, without their messages, which may have addresses or names of files. */
function causesOf(error: unknown): string {
  const codes: string[] = [];
  for (let each: unknown = error; each instanceof Error && codes.length < 4; each = each.cause) {
    const { code, name } = each as NodeJS.ErrnoException;
    codes.push(code ?? name);
  }
  return codes.join(', ') || 'unknown';
}
