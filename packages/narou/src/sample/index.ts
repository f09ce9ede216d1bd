// Invented novels, users, rankings and changes, and a source that answers from them.

export { createEmbeddedCatalogue } from './embedded-catalogue.ts';
export type { EmbeddedCatalogue } from './embedded-catalogue.ts';
export { createSampleSource } from './sample-source.ts';
