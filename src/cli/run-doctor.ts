import { machineChecks } from '../doctor/here/index.ts';
import { SITE_CHECKS, SITE_REQUESTS } from '../doctor/novel-site/index.ts';
import { openConfiguredSite } from '../doctor/novel-site/open-site.ts';
import { REGISTRY_CHECKS } from '../doctor/registries/checks.ts';
import { openRegistries } from '../doctor/registries/open-registries.ts';
import { LOOK_UPS } from '../doctor/registries/registries.ts';
import type { Need } from '../doctor/check.ts';
import { makeReport } from '../doctor/report.ts';
import { runChecks } from '../doctor/run-checks.ts';
import type { CheckOutcome } from '../doctor/run-checks.ts';
import type { Clock } from '../process/clock.ts';
import { lookUpSettings } from '../registration/look-up/settings.ts';
import { systemResolver } from '../registration/net/resolve.ts';
import { readMachineFacts } from './doctor-here.ts';
import type { AllSettings } from './doctor-here.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { printOutcome, printSummary } from './print-doctor.ts';
import { note } from './terminal.ts';
import type { Terminal } from './terminal.ts';

interface DoctorArgs {
  readonly isLive: boolean;
  readonly isJson: boolean;
  readonly baseUrl: string | undefined;
}

/** Timeout of a check with all its requests and pauses. */
const CHECK_TIMEOUT_MS = 60_000;

const EXIT_OF = { ok: EXIT.done, warning: EXIT.warning, broken: EXIT.broken } as const;

/** Shared by both groups of checks that send requests. */
interface LiveRun {
  readonly settings: AllSettings;
  readonly clock: Clock;
  readonly terminal: Terminal;
  readonly options: Parameters<typeof runChecks>[2];
}

async function checkSite({ settings, clock, terminal, options }: LiveRun) {
  const { pause, interrupted: signal } = terminal;
  const parts = { clock, signal, pause: pause.bind(terminal) };
  const { site, close } = await openConfiguredSite(settings, parts);
  try {
    return { outcomes: await runChecks(SITE_CHECKS, site, options), requests: site.requests };
  } finally {
    await close();
  }
}

async function checkRegistries({ settings, clock, terminal, options }: LiveRun): Promise<CheckOutcome[]> {
  const live = lookUpSettings({ ...settings, REGISTRATION_SOURCE: 'live' });
  const { registries, close } = openRegistries({
    settings: live,
    clock,
    resolve: systemResolver(),
    random: Math.random,
    signal: terminal.interrupted,
    pause: terminal.pause.bind(terminal),
  });
  try {
    return await runChecks(REGISTRY_CHECKS, registries, options);
  } finally {
    close();
  }
}

function announceDuration({ SERVE_ONLY }: AllSettings, terminal: Terminal): void {
  const requests = SERVE_ONLY === 'registration' ? 0 : SITE_REQUESTS;
  const lookUps = SERVE_ONLY === 'catalogue' ? 0 : LOOK_UPS;
  // Responses take time in addition to the second between two requests.
  const minutes = Math.ceil(((requests + lookUps) * 1.4) / 60);
  note(
    terminal,
    '{requests} requests to the novel site and {lookUps} look-ups, one a second: some {minutes} minutes. Ctrl-C prints what is known.',
    { requests, lookUps, minutes },
  );
}

/** Runs the checks of this machine and, if requested, of the upstreams. */
export async function runDoctor(
  { isLive, isJson, baseUrl }: DoctorArgs,
  terminal: Terminal,
): Promise<ExitCode> {
  const clock: Clock = { now: terminal.now, monotonic: () => performance.now() };
  const startedAt = clock.now();
  const resolve = systemResolver();
  const { machine, settings } = await readMachineFacts(terminal.environment, {
    isLive,
    baseUrl,
    clock,
    resolve,
  });
  if (isLive) announceDuration(settings, terminal);
  const onOutcome = (outcome: CheckOutcome) => {
    if (!isJson) printOutcome(outcome, terminal);
  };
  const options = {
    signal: terminal.interrupted,
    timeoutMs: CHECK_TIMEOUT_MS,
    onOutcome,
    unmet: new Set<Need>(),
  };
  const outcomes = await runChecks(machineChecks(machine), machine, options);
  const run = { settings, clock, terminal, options };
  let requests = 0;
  if (isLive && settings.SERVE_ONLY !== 'registration') {
    const site = await checkSite(run);
    outcomes.push(...site.outcomes);
    requests = site.requests;
  }
  if (isLive && settings.SERVE_ONLY !== 'catalogue') outcomes.push(...(await checkRegistries(run)));
  const isComplete = !terminal.interrupted.aborted;
  const report = makeReport(outcomes, { startedAt, endedAt: clock.now(), isLive, isComplete, requests });
  if (isJson) terminal.out(`${JSON.stringify(report, null, 2)}\n`);
  else printSummary(outcomes, report, terminal);
  return isComplete ? EXIT_OF[report.state] : EXIT.interrupted;
}
