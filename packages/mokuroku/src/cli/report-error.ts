import type { MokurokuError } from 'mokuroku-client/source';
import { DEFAULT_MAX_WAIT_SECONDS, faultsOf } from 'mokuroku-client/parts';
import type { Fault } from 'mokuroku-client/parts';
import { allowedInJapanese, reasonInJapanese } from '../words/faults-ja.ts';
import { OTHER_PROBLEM, findProblem, problemKey } from '../words/problems.ts';
import { nearestWord } from '@mokuroku/kit';
import { createStyle, say, sayMeant } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { terminalText, printableLines } from './text-width.ts';

/** The unknown members of a list, each with its likely correction. */
function corrections(given: string, values: readonly string[]): string[] {
  const wrong = given.split(/[-,]/).filter((part) => part !== '' && !values.includes(part));
  return wrong.flatMap((part) => nearestWord(part, values) ?? []);
}

/** All allowed values are listed only if there is no shorter remedy. */
const MAX_BESIDE_HINT = 120;
const MAX_ALLOWED = 600;

function faultLine(fault: Fault, terminal: Terminal): string {
  const isJapanese = terminal.language === 'ja';
  const { given } = fault;
  const meant = [...corrections(given, fault.values), ...fault.nearest];
  const stated = isJapanese ? `${reasonInJapanese(fault.reason)}。` : `${fault.reason}.`;
  // The value is printed before it already.
  const reason = stated.replace(`: "${given}"`, '');
  const line = `  ${[fault.parameter, given].filter(Boolean).join(' ')}: ${reason}`;
  const words = [...new Set(meant)].join(isJapanese ? '、' : ' or ');
  const hint = words === '' ? '' : ` ${sayMeant(terminal, words)}`;
  const allowed = isJapanese ? allowedInJapanese(fault.allowed) : fault.allowed;
  if (hint !== '' && allowed.length > MAX_BESIDE_HINT) return `${line}${hint}`;
  const shown = allowed.length > MAX_ALLOWED ? `${allowed.slice(0, MAX_ALLOWED)}…` : allowed;
  return `${line}${hint}${shown === '' ? '' : `\n    ${say(terminal, `Allowed: ${shown}.`, `指定できる値: ${shown}。`)}`}`;
}

/** The faults of a 400. Faults without a reason are skipped. */
const reportedFaults = ({ status, details }: MokurokuError): Fault[] =>
  status === 400 ? faultsOf(details).filter(({ reason }) => reason !== '') : [];

function adviceOn({ code, retryAfterSeconds: seconds, status }: MokurokuError, terminal: Terminal): string[] {
  if (code === 'unreachable') {
    return [
      say(
        terminal,
        'Start one with `mokuroku serve`, or choose another with --base-url.',
        '`mokuroku serve` で起動するか、--base-url で別のサービスを指定してください。',
      ),
    ];
  }
  if (seconds === undefined) return [];
  const advice = [say(terminal, `Try again in ${seconds} s.`, `${seconds} 秒後にもう一度お試しください。`)];
  if (status === 429 && seconds <= DEFAULT_MAX_WAIT_SECONDS)
    advice.push(say(terminal, 'With --wait the command waits.', '--wait を付けると自動で待ちます。'));
  return [advice.join(' ')];
}

/** The error in one line: in Japanese by its code, otherwise in the service's words. */
function headline(error: MokurokuError, terminal: Terminal): string[] {
  const { red } = createStyle(terminal.errHasColour);
  const message = terminalText(error.message);
  if (terminal.language === 'en') return [red(message)];
  const problem = findProblem(problemKey(error));
  const [title, text] = (problem ?? OTHER_PROBLEM).ja;
  const lines = [`${red(`${title}。`)}${text}`];
  if (problem === undefined) return [...lines, `  ${message}`];
  return error.code === 'unreachable' ? [...lines, `  ${new URL(error.url).origin}`] : lines;
}

/** The error and its remedy; each fault once. */
export function describeError(error: MokurokuError, terminal: Terminal): string {
  const faults = reportedFaults(error).map((fault) => printableLines(faultLine(fault, terminal)));
  const { red } = createStyle(terminal.errHasColour);
  // The service's message lists the same faults.
  const lines =
    faults.length > 0 && terminal.language === 'en' ? [red('Invalid request:')] : headline(error, terminal);
  return `${[...lines, ...faults, ...adviceOn(error, terminal)].join('\n')}\n`;
}
