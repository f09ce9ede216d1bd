export * from './look-up/index.ts';
