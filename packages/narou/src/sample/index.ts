export { createEmbeddedCatalogue } from './embedded-catalogue.ts';
