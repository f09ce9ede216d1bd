import { ServiceError } from '../../errors.ts';
import { canonicalQuery, toNovelQuery } from '../novels/search-query.ts';
import { NCODE_IN_PATH } from './path-parameters.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { findInList } from './novel-list.ts';
import { NOVEL } from './novel-schemas.ts';

export const getNovel = defineEndpoint({
  summary: 'Get one novel',
  description: 'All fields of a novel.',
  group: 'Novels',
  path: { ncode: NCODE_IN_PATH },
  query: {},
  source: 'novelapi',
  data: NOVEL,
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  ask: ({ source }, { path: { ncode } }) => ({
    key: `novels/${ncode}`,
    load: async (asker, others) => {
      const list = `novels?${canonicalQuery(toNovelQuery({ ncode: [ncode] }))}`;
      const kept = await findInList(others, list);
      if (kept) return kept;
      const novel = (await source.findNovels([ncode], undefined, asker)).get(ncode);
      if (novel === undefined)
        throw new ServiceError('not_found', { message: `There is no novel ${ncode}.` });
      return { data: novel, meta: { source: 'novelapi' } };
    },
  }),
});
