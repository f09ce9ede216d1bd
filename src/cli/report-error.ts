import type { MokurokuError } from '../client/index.ts';
import { problemKey } from '../words/problem-key.ts';
import { PROBLEMS_JA } from '../words/problems-ja.ts';
import { nearestWord } from './nearest.ts';
import { say } from './say.ts';
import { createStyle } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { printable, printableLines } from './text-width.ts';

/** A fault of a 400, as far as it has the form that the services publish. */
interface Fault {
  parameter?: unknown;
  given?: unknown;
  reason?: unknown;
  allowed?: unknown;
  values?: unknown;
  nearest?: unknown;
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(String).join(', ') : '';
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The members of a list that are not among the values that there are, each with the one that was likely meant. */
function corrections(given: string, values: readonly string[]): string[] {
  const wrong = given.split(/[-,]/).filter((part) => part !== '' && !values.includes(part));
  return wrong.flatMap((part) => nearestWord(part, values) ?? []);
}

/** What is allowed is told in full only where nothing shorter helps. */
const MAX_BESIDE_HINT = 120;
const MAX_ALLOWED = 600;

function faultLine(fault: Fault): string {
  const given = asText(fault.given);
  const meant = [...corrections(given, texts(fault.values)), ...texts(fault.nearest)];
  const line = `  ${asText(fault.parameter)} ${given}: ${asText(fault.reason)}.`;
  const hint = meant.length > 0 ? ` Did you mean ${[...new Set(meant)].join(' or ')}?` : '';
  const allowed = asText(fault.allowed);
  if (hint !== '' && allowed.length > MAX_BESIDE_HINT) return `${line}${hint}`;
  const shown = allowed.length > MAX_ALLOWED ? `${allowed.slice(0, MAX_ALLOWED)}…` : allowed;
  return `${line}${hint}${shown === '' ? '' : `\n    Right would be ${shown}.`}`;
}

function adviceOn({ code, retryAfterSeconds: seconds, status }: MokurokuError, terminal: Terminal): string[] {
  if (code === 'unreachable') {
    return [say(terminal, 'Start one with `mokuroku serve`, or name another with --base-url.')];
  }
  if (seconds === undefined) return [];
  const advice = [say(terminal, 'Try again in {seconds} s.', { seconds })];
  if (status === 429) advice.push(say(terminal, 'With --wait the command waits by itself.'));
  return [advice.join(' ')];
}

/** What went wrong and what would be right, for a person. */
export function describeError(error: MokurokuError, terminal: Terminal): string {
  const { red } = createStyle(terminal.errHasColour);
  const message = printable(error.message);
  const [title = '', text = ''] = PROBLEMS_JA[problemKey(error)] ?? PROBLEMS_JA['other'] ?? [];
  // The service's own message may say more than its code does: it stays beside the Japanese.
  const lines = terminal.language === 'ja' ? [`${red(`${title}。`)}${text}`, `  ${message}`] : [red(message)];
  if (error.status === 400 && Array.isArray(error.details)) {
    const faults = error.details.filter((fault) => typeof fault === 'object' && fault !== null) as Fault[];
    lines.push(...faults.map((fault) => printableLines(faultLine(fault))));
  }
  lines.push(...adviceOn(error, terminal));
  return `${lines.join('\n')}\n`;
}
