import type { CheckState } from '../doctor/check.ts';
import type { Report } from '../doctor/report.ts';
import type { CheckOutcome } from '../doctor/run-checks.ts';
import { note, createStyle } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { say, translated } from './say.ts';
import { pad } from './text-width.ts';
import { text } from '../process/text.ts';
import type { Text } from '../process/text.ts';

const WORD_COLUMNS = 11;

const STATE_WORDS: Readonly<Record<CheckState, Text>> = {
  ok: text('ok', '良好'),
  warning: text('warning', '警告'),
  broken: text('broken', '異常'),
};

const inLanguage = ({ en, ja }: Text, terminal: Terminal): string => say(terminal, en, ja);

/** `ok         Node.js: 24.1.0`, with the remedy below. Skipped checks come last. */
export function printOutcome({ title, result }: CheckOutcome, terminal: Terminal): void {
  if ('skipped' in result) return;
  const { state, message, advice } = result;
  const style = createStyle(terminal.outHasColour);
  const paint = { ok: style.green, warning: style.yellow, broken: style.red }[state];
  const word = paint(pad(translated(terminal, STATE_WORDS[state]), WORD_COLUMNS));
  terminal.out(`${word}${inLanguage(title, terminal)}: ${inLanguage(message, terminal)}\n`);
  if (advice) terminal.out(`${' '.repeat(WORD_COLUMNS)}${style.dim('→')} ${inLanguage(advice, terminal)}\n`);
}

/** Number of results by kind, and of skipped checks by reason. */
export function printSummary(
  outcomes: readonly CheckOutcome[],
  { checks }: Report,
  terminal: Terminal,
): void {
  const reasons = outcomes.flatMap(({ result }) =>
    'skipped' in result ? [inLanguage(result.skipped, terminal)] : [],
  );
  for (const reason of new Set(reasons)) {
    const count = reasons.filter((each) => each === reason).length;
    note(terminal, `${count} skipped: ${reason}`, `${count} 件はスキップ: ${reason}`);
  }
  const count = (state: CheckState): number => checks.filter((check) => check.state === state).length;
  const [fine, warnings, broken] = [count('ok'), count('warning'), count('broken')];
  const en = `${fine} ok, ${warnings} warning, ${broken} broken`;
  terminal.out(`\n${say(terminal, en, `良好 ${fine}、警告 ${warnings}、異常 ${broken}`)}\n`);
  if (warnings + broken > 0) {
    note(
      terminal,
      'The report names no person, address or folder: attach the output of --json to an issue.',
      'レポートに個人・アドレス・フォルダーの情報は含まれません。--json の出力を issue に付けてください。',
    );
  }
}
