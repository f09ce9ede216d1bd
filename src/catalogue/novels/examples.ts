/**
 * What the sample is sure to hold, on any day from 2021 on and with its usual seed. Help, OpenAPI and documents take
 * their examples from here, so that whatever is printed can be asked.
 */
export const EXAMPLES = {
  ncode: 'N8403VF',
  title: '雨の街の星図師',
  userid: 100_003,
  /** The name of the user, who is the author of the novel. */
  writer: '白瀬しおり',
  yomikata: 'シラセシオリ',
  adultNcode: 'N6153SD',
  /** Author of the adult novel. */
  xid: 'x2201ag',
  /** Stands in the texts of hundreds of novels. */
  word: '図書館',
} as const;
