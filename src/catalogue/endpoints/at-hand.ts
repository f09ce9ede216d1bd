import { ServiceError } from '../../errors.ts';
import type { CatalogueAtHand, CatalogueSource } from '../catalogue-source.ts';

/** What a source tells beside what its upstream does. Throws not_available_here where it has no catalogue at hand. */
export function requireAtHand({ atHand }: CatalogueSource, what: 'facets' | 'suggestions'): CatalogueAtHand {
  if (atHand !== undefined) return atHand;
  throw new ServiceError('not_available_here', {
    message: `The live upstream gives no ${what}: they need a local catalogue (CATALOGUE_SOURCE=local) or the sample.`,
  });
}
