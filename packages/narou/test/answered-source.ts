import type { ServiceError } from '@mokuroku/kit';
import type { CatalogueSource, SourceProblem } from '../src/source/index.ts';
import { startLoopbackUpstream } from '../../../test/catalogue/loopback-upstream.ts';
import type { UpstreamHandler, LoopbackUpstream } from '../../../test/catalogue/loopback-upstream.ts';
import { testSource } from './narou-test-source.ts';
import type { TestLimits } from './narou-test-source.ts';

export interface AnsweredSource {
  upstream: LoopbackUpstream;
  source: CatalogueSource;
  problems: SourceProblem[];
}

/** Starts sources on upstreams with scripted responses, and stops them all. */
export function answeredSources() {
  const open: { close(): Promise<void> }[] = [];
  return {
    start: async (answer: UpstreamHandler, limits: TestLimits = {}): Promise<AnsweredSource> => {
      const upstream = await startLoopbackUpstream(answer);
      const { source, problems } = testSource(upstream.url, limits);
      open.push(upstream, source);
      return { upstream, source, problems };
    },
    closeAll: async (): Promise<void> => {
      for (const each of open.splice(0).reverse()) await each.close();
    },
  };
}

/** The error code of a rejected promise. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error as ServiceError).code,
  );
