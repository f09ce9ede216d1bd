import { expect } from 'vitest';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { REPORT } from '../../src/doctor/report.ts';
import type { Report } from '../../src/doctor/report.ts';
import { recordingTerminal } from '../cli/recording-terminal.ts';
import { NOON } from '../catalogue/upstream-under-test.ts';

/** Free ports, and no access to the outside. */
const SETTINGS = {
  CATALOGUE_PORT: '0',
  REGISTRATION_PORT: '0',
  NAROU_CONTACT: 'somebody@example.org',
  NAROU_BASE_URL: 'http://127.0.0.1:9',
  WHOIS_ROOT: '127.0.0.1:9',
  RDAP_BOOTSTRAP: 'http://127.0.0.1:9/',
};

/** Runs the command and reads its report, which must match the published schema. */
export async function reportOf(
  line: string,
  environment: Record<string, string> = {},
  of: Partial<Terminal> = {},
): Promise<{ code: number; report: Report; text: string }> {
  const { code, out } = await runDoctor(`${line} --json`, environment, of);
  return { code, report: REPORT.strict().parse(JSON.parse(out)), text: out };
}

export async function runDoctor(
  line: string,
  environment: Record<string, string> = {},
  of: Partial<Terminal> = {},
): Promise<{ code: number; out: string; err: string }> {
  const terminal = recordingTerminal({
    now: () => NOON,
    ...of,
    environment: { ...SETTINGS, ...environment },
  });
  const code = await runCommandLine(line.split(' '), terminal);
  return { code, ...terminal.written() };
}

export function checkOf(report: Report, id: string): Report['checks'][number] {
  const check = report.checks.find((each) => each.id === id);
  expect(check, `${id} of ${report.checks.map((each) => each.id).join(' ')}`).toBeDefined();
  return check as Report['checks'][number];
}

/** The findings of each check that is not ok. */
export const troublesOf = ({ checks }: Report): Record<string, string> =>
  Object.fromEntries(
    checks
      .filter(({ state }) => state !== 'ok')
      .map(({ id, state, finding }) => [id, `${state}: ${finding}`]),
  );
