import { EXAMPLES } from '../novels/examples.ts';
import { ncode, userid } from '../novels/code-parameters.ts';
import { oneOf } from '../novels/parameter-kinds.ts';
import { RANKING_TYPES } from '../novels/ranking-date.ts';

export const NCODE_IN_PATH = ncode({
  description: 'Code of the novel, in any case.',
  example: EXAMPLES.ncode,
});

export const ADULT_NCODE_IN_PATH = ncode({
  description: 'Code of the adult novel, in any case.',
  example: EXAMPLES.adultNcode,
});

export const USERID_IN_PATH = userid({ description: 'User id, digits.', example: EXAMPLES.userid });

export const RANKING_TYPE_IN_PATH = oneOf(RANKING_TYPES, {
  description: 'Ranking period.',
  example: 'daily',
});
