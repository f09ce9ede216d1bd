// Entry point of `mokuroku/narou-server`: a stand-in for the upstream, for tests of its clients.
export { startNarouServer } from './server.ts';
export type { NarouRequest, NarouServer, NarouServerOptions } from './server.ts';
export { makeSwitches, parseSwitches, SWITCHES } from './switches.ts';
export type { NarouServerSwitches, SwitchName } from './switches.ts';
export { createEmbeddedCatalogue } from '../../packages/narou/src/sample/embedded-catalogue.ts';
export type { EmbeddedCatalogue } from '../../packages/narou/src/sample/embedded-catalogue.ts';
export type { Catalogue } from '../../packages/narou/src/scan/catalogue.ts';
export type { CatalogueNovel, CatalogueUser } from '../../packages/narou/src/scan/catalogue-novel.ts';
export { systemClock } from '@mokuroku/kit/process';
export type { Clock } from '@mokuroku/kit/process';
