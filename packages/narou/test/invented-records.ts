import { OF_FIELDS } from '../src/novels/of-fields.ts';

// Records in the shapes of the upstream over the years, with invented texts. Keys are in the upstream's order.

/** A copy without some members. */
export function omit(record: Record<string, unknown>, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

const TEXTS = {
  title: '霧の港の「時計師」 &amp; 猫',
  ncode: 'N4821KZ',
  userid: 904_112,
  writer: '汐見あかり',
  story: '港町の時計師は言った。\n&quot;時間は&lt;売り物&gt;ではない&quot;\n\n※1/3 完結 𠮟&amp;lt;',
};
const DATES = {
  general_firstup: '2023-02-11 19:00:00',
  general_lastup: '2026-09-01 06:30:12',
};
const MARKS = { isstop: 0, isr15: 1, isbl: 0, isgl: 0, iszankoku: 1, istensei: 0, istenni: 0 };
const PERIODS = {
  daily_point: 4,
  weekly_point: 18,
  monthly_point: 70,
  quarter_point: 251,
  yearly_point: 900,
};
const UPDATES = { novelupdated_at: '2026-09-01 06:31:00', updated_at: '2026-09-02 11:00:45' };

/** 38 keys, since about 2022. */
export const RECORD_OF_2026 = {
  ...TEXTS,
  biggenre: 3,
  genre: 302,
  gensaku: '',
  keyword: '港町 時計 猫&amp;人',
  ...DATES,
  novel_type: 1,
  end: 1,
  general_all_no: 31,
  length: 100_501,
  time: 202,
  ...MARKS,
  global_point: 4102,
  ...PERIODS,
  fav_novel_cnt: 1201,
  impression_cnt: 14,
  review_cnt: 1,
  all_point: 1700,
  all_hyoka_cnt: 199,
  sasie_cnt: 0,
  kaiwaritu: 41,
  ...UPDATES,
};

/** With the fields that the table has had since. */
export const RECORD_OF_TODAY = {
  ...RECORD_OF_2026,
  ...Object.fromEntries(
    OF_FIELDS.filter(
      ({ servedBy, field }) => servedBy === 'any' && field !== 'noveltype' && !(field in RECORD_OF_2026),
    ).map(({ field, example }) => [field, example]),
  ),
};

/** 39 keys: with pc_or_k. */
export const RECORD_OF_2020 = { ...omit(RECORD_OF_2026, 'global_point'), pc_or_k: 2, global_point: 4102 };

/** 33 keys: neither period points nor impressions. */
export const RECORD_OF_2017 = {
  ...TEXTS,
  biggenre: 3,
  genre: 302,
  gensaku: '',
  keyword: '港町 時計',
  ...DATES,
  novel_type: 2,
  end: 0,
  general_all_no: 1,
  length: 4100,
  time: 9,
  ...MARKS,
  pc_or_k: 2,
  global_point: 102,
  fav_novel_cnt: 21,
  review_cnt: 0,
  all_point: 60,
  all_hyoka_cnt: 8,
  sasie_cnt: 0,
  kaiwaritu: 41,
  ...UPDATES,
};

/** Before the genres of May 2016: another code table, no big genre. */
export const RECORD_OF_2016 = { ...omit(RECORD_OF_2017, 'biggenre'), genre: 5 };

/** novel18api, 35 keys. */
export const ADULT_RECORD = (() => {
  const { title, ncode, writer, story, ...rest } = RECORD_OF_2026;
  return { title, ncode, writer, story, nocgenre: 2, ...omit(rest, 'userid', 'biggenre', 'genre', 'isr15') };
})();

export const USER_RECORD = {
  userid: 904_112,
  name: '汐見あかり/しおみ&amp;',
  yomikata: 'シオミアカリ',
  name1st: 'し',
  novel_cnt: 12,
  review_cnt: 3,
  novel_length: 812_000,
  sum_global_point: 10_400,
};
