// What every process needs: settings, log, metrics, clock, shutdown, files.

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
  rejectValue,
  wholeNumberSetting,
} from './config.ts';
export type { Environment } from './config.ts';
export { makeFolder, syncFolder, writeAtomically } from './files.ts';
export { createLogger, silentLogger } from './logger.ts';
export type { Logger } from './logger.ts';
export { gatherMetrics, processRegistry, startMetricsServer } from './metrics.ts';
export type { ServiceMetrics } from './metrics.ts';
export { messageText } from './readable-log.ts';
export { VERSION, builtScript } from './release.ts';
export { closeOnSignals } from './shutdown.ts';
export type { HowToClose } from './shutdown.ts';
export { createThrottledLog, describeFailure } from './throttled-log.ts';
