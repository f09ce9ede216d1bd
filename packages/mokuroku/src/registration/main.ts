import { openService } from '@mokuroku/kit/service';
import type { RunningService } from '@mokuroku/kit/service';
import { systemClock, readConfig } from '@mokuroku/kit/process';
import type { Clock, Environment } from '@mokuroku/kit/process';
import { createRegistrationApp } from './app.ts';
import { REGISTRATION_CONFIG, lookUpSettings } from './config.ts';
import type { RegistrationConfig } from './config.ts';
import { createDomainLookUp, systemResolver } from 'mokuroku-whois/service';
import type { Hop } from 'mokuroku-whois/service';
import { startSampleRegistries } from './sample/start-sample-registries.ts';
import { logTo } from './service-look-up.ts';

/** Reads the settings, starts the service (in sample mode with its registries) and listens. Throws ConfigError. */
export async function startRegistration(
  environment: Environment,
  clock: Clock = systemClock,
  { timeoutMs }: { timeoutMs?: number | undefined } = {},
): Promise<RunningService> {
  const config = readConfig(REGISTRATION_CONFIG, environment);
  const settings = { ...lookUpSettings(config), ...(timeoutMs !== undefined && { timeoutMs }) };
  const { log, metrics, http, listen } = await openService({
    name: 'registration',
    config,
    scope: registryScope(config),
    clock,
  });
  const sample = config.REGISTRATION_SOURCE === 'sample' ? await startSampleRegistries() : undefined;
  if (sample) log.logger.info(`the sample's root: whois -h 127.0.0.1 -p ${sample.rootPort} example.com`);
  const hops = new Map<string, number>();
  const observeHop = ({ role, outcome }: Hop) =>
    hops.set(`${role} ${outcome}`, (hops.get(`${role} ${outcome}`) ?? 0) + 1);
  metrics.addCounter('registry_hops_total', 'Queries by role of the server and outcome', 'hop', () => hops);
  const used = { ...settings, ...sample?.settings };
  const domainLookUp = createDomainLookUp(used, {
    clock,
    log: logTo(log.logger),
    resolve: systemResolver(),
    observeHop,
  });
  const isSample = () => sample !== undefined;
  const app = createRegistrationApp({ ...http, domainLookUp, isSample });
  const close = async () => {
    domainLookUp.stop();
    await sample?.close();
  };
  return listen(app, config.REGISTRATION_PORT, { isSample, close });
}

/** Cached data and counts differ by root. */
function registryScope({ REGISTRATION_SOURCE, WHOIS_ROOT, RAW_CONTACTS }: RegistrationConfig): string {
  const source = REGISTRATION_SOURCE === 'sample' ? 'sample' : `${WHOIS_ROOT.host}:${WHOIS_ROOT.port}`;
  return `registration:${source}${RAW_CONTACTS === 'redact' ? ':redacted' : ''}`;
}
