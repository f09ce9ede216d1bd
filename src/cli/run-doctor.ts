import { transportSettings } from '../catalogue/config.ts';
import { openNarouSocket } from '../catalogue/narou/transport.ts';
import { sourceScope } from '../catalogue/open-source.ts';
import { budgetLimitsOf } from '../catalogue/upstream-budget.ts';
import type { Need } from '../doctor/check.ts';
import { SITE_REQUESTS, siteChecks } from '../doctor/novel-site/checks.ts';
import { openSite } from '../doctor/novel-site/site.ts';
import type { PaceParts } from '../doctor/pace.ts';
import { LOOK_UPS, openRegistries } from '../doctor/registries.ts';
import { makeReport } from '../doctor/report.ts';
import { runChecks } from '../doctor/run-checks.ts';
import type { CheckOutcome } from '../doctor/run-checks.ts';
import { silentLogger } from '../process/logger.ts';
import { lookUpSettings } from '../registration/look-up/settings.ts';
import { systemResolver } from '../registration/net/resolve.ts';
import { openStorage } from '../service/storage.ts';
import { machineChecks } from './doctor-here.ts';
import type { AllSettings } from './doctor-here.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { printOutcome, printSummary } from './print-doctor.ts';
import { note } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** Timeout of a check with all its requests and pauses. */
const CHECK_TIMEOUT_MS = 60_000;

const EXIT_OF = { ok: EXIT.done, warning: EXIT.warning, broken: EXIT.broken } as const;

/** The novel site as `serve --live` queries it, within the same daily quota: with a store, that of all replicas. */
async function openConfiguredSite(
  settings: AllSettings,
  parts: PaceParts & { readonly signal: AbortSignal },
) {
  const { clock } = parts;
  const scope = sourceScope({ ...settings, CATALOGUE_SOURCE: 'narou' });
  const open = (STORE_URL: AllSettings['STORE_URL']) =>
    openStorage({
      settings: { ...settings, STORE_URL, CACHE_DIR: undefined },
      scope,
      clock,
      logger: silentLogger(),
      maxWaitMs: 0,
    });
  // The check of the store reports a missing ioredis.
  const storage = await open(settings.STORE_URL).catch(() => open(undefined));
  const limits = budgetLimitsOf(settings);
  const transport = { ...transportSettings(settings), clock, connections: 1 };
  const socket = openNarouSocket({ baseUrl: settings.NAROU_BASE_URL, ...transport });
  const budget = limits && storage.openBudget(settings.OUTGOING_ADDRESS, limits);
  return {
    site: openSite({ ...parts, ...transport, socket, budget }),
    close: () => Promise.all([socket.close(), storage.close()]),
  };
}

function announceDuration(requests: number, lookUps: number, terminal: Terminal): void {
  // Responses take time in addition to the second between two requests.
  const minutes = Math.ceil(((requests + lookUps) * 1.4) / 60);
  note(
    terminal,
    `${requests} requests to the novel site and ${lookUps} look-ups, one a second: some ${minutes} minutes. Ctrl-C prints what is known.`,
    `小説サイトに ${requests} リクエスト、ドメイン照会 ${lookUps} 件、1 秒に 1 回で約 ${minutes} 分。Ctrl-C でそれまでの結果を表示します。`,
  );
}

/** Runs the checks of this machine and, if requested, of the upstreams. */
export async function runDoctor(
  { isLive, isJson }: { readonly isLive: boolean; readonly isJson: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const clock = { now: terminal.now, monotonic: () => performance.now() };
  const signal = terminal.interrupted;
  const parts = { clock, signal, pause: terminal.pause.bind(terminal) };
  const resolve = systemResolver();
  const network: Need = {};
  const startedAt = clock.now();
  const machine = { isLive, resolve, clock, network };
  const { checks: here, settings } = await machineChecks(terminal.environment, machine);
  const hasSite = isLive && settings.SERVE_ONLY !== 'registration';
  const hasRegistries = isLive && settings.SERVE_ONLY !== 'catalogue';
  if (isLive) announceDuration(hasSite ? SITE_REQUESTS : 0, hasRegistries ? LOOK_UPS : 0, terminal);
  const onOutcome = (outcome: CheckOutcome) => {
    if (!isJson) printOutcome(outcome, terminal);
  };
  const options = { signal, timeoutMs: CHECK_TIMEOUT_MS, onOutcome };
  const outcomes = await runChecks(here, options);
  let requests = 0;
  if (hasSite) {
    const { site, close } = await openConfiguredSite(settings, parts);
    outcomes.push(...(await runChecks(siteChecks(site, network), options)));
    requests = site.requests();
    await close();
  }
  if (hasRegistries) {
    const live = lookUpSettings({ ...settings, REGISTRATION_SOURCE: 'live' });
    const { checks, close } = openRegistries({
      ...parts,
      settings: live,
      resolve,
      random: Math.random,
      network,
    });
    outcomes.push(...(await runChecks(checks, options)));
    close();
  }

  const complete = !signal.aborted;
  const seconds = Math.round((clock.now() - startedAt) / 1_000);
  const times = { startedAt: new Date(startedAt).toISOString(), seconds };
  const report = makeReport(outcomes, { ...times, live: isLive, complete, requests });
  if (isJson) terminal.out(`${JSON.stringify(report, null, 2)}\n`);
  else printSummary(outcomes, report, terminal);
  return complete ? EXIT_OF[report.state] : EXIT.interrupted;
}
