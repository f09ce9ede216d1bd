/**
 * Content that the sample always has, on any day from 2021 and with the default seed. Help, OpenAPI and documents use
 * it, so that every printed example works.
 */
export const EXAMPLES = {
  ncode: 'N8403VF',
  title: '雨の街の星図師',
  userid: 100_003,
  /** The name of the user, the author of the novel. */
  writer: '白瀬しおり',
  yomikata: 'シラセシオリ',
  adultNcode: 'N6153SD',
  /** Author of the adult novel. */
  xid: 'x2201ag',
  /** Occurs in the texts of hundreds of novels. */
  word: '図書館',
} as const;
