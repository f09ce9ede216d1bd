// Entry point of `mokuroku/narou-server`: a stand-in for the upstream, for tests of its clients.
export { startNarouServer } from './server.ts';
export type { NarouRequest, NarouServer, NarouServerOptions } from './server.ts';
export { makeSwitches, parseSwitches, SWITCHES } from './switches.ts';
export type { NarouServerSwitches, SwitchName } from './switches.ts';
export { createEmbeddedCatalogue } from '../../sample/novels/embedded-catalogue.ts';
export type { EmbeddedCatalogue } from '../../sample/novels/embedded-catalogue.ts';
export type { Catalogue } from '../index/catalogue.ts';
export type { CatalogueNovel, CatalogueUser } from '../index/catalogue-novel.ts';
export { systemClock } from '../../process/clock.ts';
export type { Clock } from '../../process/clock.ts';
