import { ServiceError } from '../../errors.ts';
import { NCODE_IN_PATH } from './path-parameters.ts';
import { defineEndpoint } from './endpoint.ts';
import { NOVEL } from './novel-schemas.ts';

export const getNovel = defineEndpoint({
  summary: 'Get one novel',
  description: 'All fields of a novel.',
  group: 'Novels',
  path: { ncode: NCODE_IN_PATH },
  query: {},
  source: 'novelapi',
  data: NOVEL,
  errors: ['invalid_parameter', 'not_found', 'upstream_invalid', 'upstream_unavailable', 'upstream_timeout'],
  ask: ({ source }, { path: { ncode } }) => ({
    key: `novels/${ncode}`,
    load: async () => {
      const novel = (await source.findNovels([ncode], undefined)).get(ncode);
      if (novel === undefined)
        throw new ServiceError('not_found', { message: `There is no novel ${ncode}.` });
      return { data: novel, meta: { source: 'novelapi' } };
    },
  }),
});
