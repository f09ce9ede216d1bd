export { startSampleRegistries } from './start-sample-registries.ts';
