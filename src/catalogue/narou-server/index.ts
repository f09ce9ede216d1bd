// The public face of `mokuroku/narou-server`: a stand-in for the upstream, for tests of its clients.
export { startNarouServer } from './server.ts';
export type { NarouRequest, NarouServer, NarouServerOptions } from './server.ts';
export { makeSwitches, SWITCHES } from './switches.ts';
export type { NarouServerSwitches, SwitchName } from './switches.ts';
export { parseSwitches } from './parse-switches.ts';
export { createEmbeddedCatalogue } from '../sources/embedded/embedded-catalogue.ts';
export type { EmbeddedCatalogue } from '../sources/embedded/embedded-catalogue.ts';
export type { CatalogueNovel, CatalogueUser } from '../sources/embedded/catalogue-novel.ts';
export { systemClock } from '../../kit/clock.ts';
export type { Clock } from '../../kit/clock.ts';
