// Registries with invented domains on loopback, for the sample and for tests. Not published.

export { startSampleRegistries } from './start-sample-registries.ts';
