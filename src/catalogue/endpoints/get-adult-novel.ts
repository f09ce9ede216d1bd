import { ServiceError } from '../../errors.ts';
import { canonicalQuery, toAdultNovelQuery } from '../novels/search-query.ts';
import { ADULT_NCODE_IN_PATH } from './path-parameters.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { findInList } from './novel-list.ts';
import { ADULT_NOVEL } from './novel-schemas.ts';

export const getAdultNovel = defineEndpoint({
  summary: 'Get one adult novel (metadata only)',
  description: 'All metadata of an adult novel. Not to be shown to anyone under 18.',
  group: 'Adult novels',
  path: { ncode: ADULT_NCODE_IN_PATH },
  query: {},
  source: 'novel18api',
  data: ADULT_NOVEL,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  ask: ({ source }, { path: { ncode } }) => ({
    key: `r18/novels/${ncode}`,
    load: async (asker, others) => {
      const list = `r18/novels?${canonicalQuery(toAdultNovelQuery({ ncode: [ncode] }))}`;
      const kept = await findInList(others, list);
      if (kept) return kept;
      const novel = (await source.findAdultNovels([ncode], undefined, asker)).get(ncode);
      if (novel === undefined) {
        throw new ServiceError('not_found', { message: `There is no adult novel ${ncode}.` });
      }
      return { data: novel, meta: { source: 'novel18api' } };
    },
  }),
});
