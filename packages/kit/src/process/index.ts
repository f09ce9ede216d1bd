// What every process needs: settings, log, metrics, clock, shutdown, files.

export { builtScript } from './built-script.ts';
export { addressRanges } from './cidr.ts';
export { systemClock, systemSleep } from './clock.ts';
export type { Clock } from './clock.ts';
export {
  ConfigError,
  commaList,
  existingFolder,
  headerText,
  httpAddress,
  milliseconds,
  portNumber,
  readConfig,
  settingFaults,
  wholeNumberSetting,
  withoutPasswords,
} from './config.ts';
export type { Environment } from './config.ts';
export { listenFault } from './listen-fault.ts';
export { createLogger, silentLogger } from './logger.ts';
export type { Logger } from './logger.ts';
export { makeFolder } from './make-folder.ts';
export { gatherMetrics, processRegistry, startMetricsServer } from './metrics.ts';
export type { ServiceMetrics } from './metrics.ts';
export { rejectValue } from './reject-value.ts';
export { readRetryAfter } from './retry-after.ts';
export { closeOnSignals } from './shutdown.ts';
export type { HowToClose } from './shutdown.ts';
export { createThrottledLog, describeFailure } from './throttled-log.ts';
export { VERSION } from './version.ts';
export { syncFolder, writeAtomically } from './write-atomically.ts';
