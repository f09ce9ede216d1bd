import { SUGGEST_PARAMETERS } from '../novels/search-parameters.ts';
import { canonicalQuery } from '../novels/search-query.ts';
import { defineEndpoint } from './endpoint.ts';
import { requireAtHand } from './novel-search.ts';
import { questionOf } from './question.ts';
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
  ask: (services, { query: { q = '', lim = 10 } }) =>
    questionOf(services, `suggest?${canonicalQuery({ q, lim })}`, async (asker) => {
      const data = await requireAtHand(services.source, 'suggestions').suggest(q, lim, asker);
      return { data, meta: { source: 'novelapi' } };
    }),
});
