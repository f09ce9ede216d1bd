// The values of `order` with their meaning, one table per interface. Source: the developer manuals of novelapi,
// novel18api and userapi, as of August 2025. The first value is the interface's default.

/** Orders of novelapi. */
export const NOVELAPI_ORDERS = {
  new: 'latest episode first (general_lastup)',
  favnovelcnt: 'most bookmarks first',
  reviewcnt: 'most reviews first',
  hyoka: 'most overall points first',
  hyokaasc: 'fewest overall points first',
  dailypoint: 'most points of the day first',
  weeklypoint: 'most points of the week first',
  monthlypoint: 'most points of the month first',
  quarterpoint: 'most points of the quarter first',
  yearlypoint: 'most points of the year first',
  impressioncnt: 'most impressions first',
  hyokacnt: 'most raters first',
  hyokacntasc: 'fewest raters first',
  weekly: 'most unique readers of last week (Sunday to Saturday) first; renewed early on Tuesday',
  lengthdesc: 'most characters first',
  lengthasc: 'fewest characters first',
  generalfirstup: 'latest first publication first',
  ncodeasc: 'lowest Ncode first',
  ncodedesc: 'highest Ncode first',
  old: 'the novel whose latest episode is oldest first',
} as const;

/** Orders of novel18api. Its `weekly` is updated on Wednesdays. */
export const NOVEL18API_ORDERS = {
  new: NOVELAPI_ORDERS.new,
  favnovelcnt: NOVELAPI_ORDERS.favnovelcnt,
  reviewcnt: NOVELAPI_ORDERS.reviewcnt,
  hyoka: NOVELAPI_ORDERS.hyoka,
  hyokacnt: NOVELAPI_ORDERS.hyokacnt,
  lengthdesc: NOVELAPI_ORDERS.lengthdesc,
  dailypoint: NOVELAPI_ORDERS.dailypoint,
  weeklypoint: NOVELAPI_ORDERS.weeklypoint,
  monthlypoint: NOVELAPI_ORDERS.monthlypoint,
  quarterpoint: NOVELAPI_ORDERS.quarterpoint,
  yearlypoint: NOVELAPI_ORDERS.yearlypoint,
  weekly: 'most unique readers of last week first; renewed on Wednesday',
  lengthasc: NOVELAPI_ORDERS.lengthasc,
  old: NOVELAPI_ORDERS.old,
} as const;

/** Orders of userapi. */
export const USERAPI_ORDERS = {
  new: 'highest user id first',
  novelcnt: 'most novels first',
  reviewcnt: 'most reviews first',
  novellength: 'most characters in all novels first',
  sumglobalpoint: 'most overall points of all novels first',
  old: 'lowest user id first',
} as const;

export type NovelapiOrder = keyof typeof NOVELAPI_ORDERS;

/** A field of a record, and whether its highest or its lowest value comes first. */
interface SortRule {
  readonly field: string;
  readonly first: 'high' | 'low';
}

const high = <Field extends string>(field: Field) => ({ field, first: 'high' }) as const;
const low = <Field extends string>(field: Field) => ({ field, first: 'low' }) as const;

/** The field by which each order sorts. Ties are sorted by Ncode. */
export const SORT_RULES = {
  new: high('general_lastup'),
  favnovelcnt: high('fav_novel_cnt'),
  reviewcnt: high('review_cnt'),
  hyoka: high('global_point'),
  hyokaasc: low('global_point'),
  dailypoint: high('daily_point'),
  weeklypoint: high('weekly_point'),
  monthlypoint: high('monthly_point'),
  quarterpoint: high('quarter_point'),
  yearlypoint: high('yearly_point'),
  impressioncnt: high('impression_cnt'),
  hyokacnt: high('all_hyoka_cnt'),
  hyokacntasc: low('all_hyoka_cnt'),
  weekly: high('weekly_unique'),
  lengthdesc: high('length'),
  lengthasc: low('length'),
  generalfirstup: high('general_firstup'),
  ncodeasc: low('ncode'),
  ncodedesc: high('ncode'),
  old: low('general_lastup'),
} as const satisfies Record<NovelapiOrder, SortRule>;

/** A field by which some order sorts. */
export type SortField = (typeof SORT_RULES)[NovelapiOrder]['field'];
export type UserapiOrder = keyof typeof USERAPI_ORDERS;
