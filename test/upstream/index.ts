// The stand-in for the novel site, and what it needs.
export { startNarouServer } from './server.ts';
export type { NarouServer } from './server.ts';
export { makeSwitches, parseSwitches } from './switches.ts';
export { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
export { systemClock } from '@mokuroku/kit/process';
