import { SUGGEST_PARAMETERS } from '../novels/search-parameters.ts';
import { canonicalQuery } from '../novels/search-query.ts';
import { requireAtHand } from './at-hand.ts';
import { defineEndpoint } from './endpoint.ts';
import { SUGGESTIONS } from './suggestions-schema.ts';

export const suggest = defineEndpoint({
  summary: 'Suggest titles, pen names and keywords',
  description:
    'What holds the words typed so far, the more weekly points the earlier: for search fields, at each keystroke. Needs a catalogue at hand (local or sample): 501 on the live upstream.',
  group: 'Novels',
  path: {},
  query: SUGGEST_PARAMETERS,
  source: 'novelapi',
  data: SUGGESTIONS,
  errors: ['invalid_parameter', 'not_available_here'],
  ask: ({ source }, { query: { q = '', lim = 10 } }) => ({
    key: `suggest?${canonicalQuery({ q, lim })}`,
    load: async (asker) => {
      const data = await requireAtHand(source, 'suggestions').suggest(q, lim, asker);
      return { data, meta: { source: 'novelapi' } };
    },
  }),
});
