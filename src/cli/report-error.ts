import type { MokurokuError } from '../client/index.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { nearestWord } from './nearest.ts';
import type { Style } from './style.ts';
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

const EXIT_OF_CODE: Readonly<Record<string, ExitCode>> = {
  invalid_parameter: EXIT.usage,
  invalid_domain: EXIT.usage,
  uri_too_long: EXIT.usage,
  not_found: EXIT.absent,
  ranking_not_published: EXIT.absent,
  not_registered: EXIT.absent,
  unknown_tld: EXIT.absent,
  no_registry_service: EXIT.absent,
  rate_limited: EXIT.limited,
  internal: EXIT.failed,
  not_json: EXIT.failed,
};

/** Any other code means that the service, or what stands behind it, cannot answer now. */
export function exitCodeOf(error: MokurokuError): ExitCode {
  return EXIT_OF_CODE[error.code] ?? EXIT.unavailable;
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
  const right = shown === '' ? '' : `\n    Right would be ${shown}.`;
  return `${line}${hint}${right}`;
}

function adviceOn(error: MokurokuError): string | undefined {
  if (error.code === 'unreachable') {
    return 'Start one with `mokuroku serve`, or name another with --base-url.';
  }
  if (error.retryAfterSeconds === undefined) return undefined;
  const advice = `Try again in ${error.retryAfterSeconds} s.`;
  return error.status === 429 ? `${advice} With --wait the command waits by itself.` : advice;
}

/** What went wrong and what would be right, for a person. */
export function describeError(error: MokurokuError, style: Style): string {
  const lines = [style.red(printable(error.message))];
  if (error.status === 400 && Array.isArray(error.details)) {
    lines.push(...(error.details as Fault[]).map((fault) => printableLines(faultLine(fault))));
  }
  const advice = adviceOn(error);
  if (advice !== undefined) lines.push(advice);
  return `${lines.join('\n')}\n`;
}
