// The invented catalogue.

export { createEmbeddedCatalogue } from './embedded-catalogue.ts';
