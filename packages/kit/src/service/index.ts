// Opens a service: what both are made of, put together by their settings.

export { openService } from './open-service.ts';
export type { RunningService } from './open-service.ts';
export { PROCESS_CONFIG, SERVICE_SETTINGS } from './settings.ts';
export type { ProcessConfig } from './settings.ts';
