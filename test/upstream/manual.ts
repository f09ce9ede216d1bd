// What the interfaces of the real upstream have, by its manuals of August 2025 (https://dev.syosetu.com/man/api/,
// /xman/api/ and /man/userapi/). Typed by hand and derived from nothing: a client and a server that are made of the same
// rows agree in every error. A test compares this list with the rows of novels/.

/** How the values of a filter are written. */
export type FilterForm =
  | 'text'
  | 'flag'
  | 'number'
  | 'numbers'
  | 'range'
  | 'times'
  | 'ncodes'
  | 'xids'
  | 'hiragana'
  | 'type'
  | 'stop';

/** Parameters and codes of an interface. */
export interface Manual {
  /** By name. */
  readonly filters: ReadonlyMap<string, FilterForm>;
  readonly orders: readonly string[];
  /** The keys of the codes of `of`, in the order of a record. */
  readonly of: ReadonlyMap<string, string>;
}

interface WrittenManual {
  readonly filters: Readonly<Partial<Record<FilterForm, string>>>;
  readonly orders: string;
  readonly of: string;
}

const read = ({ filters, orders, of }: WrittenManual): Manual => ({
  filters: new Map(
    Object.entries(filters).flatMap(([form, names]) =>
      names.split(' ').map((name) => [name, form as FilterForm] as const),
    ),
  ),
  orders: orders.split(' '),
  of: new Map(of.split(' ').map((pair) => pair.split('=') as [string, string])),
});

/** Beside the filters, of every interface. */
export const OTHER_PARAMETERS: readonly string[] =
  'gzip out of lim st order libtype callback updatetype opt'.split(' ');

/** `firstup` is in no manual; it worked in January 2020. */
export const NOVELAPI = read({
  filters: {
    text: 'word notword',
    flag: 'title ex keyword wname isr15 isbl isgl iszankoku istensei istenni istt notr15 notbl notgl notzankoku nottensei nottenni ispickup',
    number: 'minlen maxlen mintime maxtime',
    numbers: 'biggenre notbiggenre genre notgenre userid buntai',
    range: 'length kaiwaritu sasie time',
    times: 'lastup lastupdate firstup',
    ncodes: 'ncode',
    type: 'type',
    stop: 'stop',
  },
  orders:
    'new favnovelcnt reviewcnt hyoka hyokaasc dailypoint weeklypoint monthlypoint quarterpoint yearlypoint impressioncnt hyokacnt hyokacntasc weekly lengthdesc lengthasc generalfirstup ncodeasc ncodedesc old',
  of: 't=title n=ncode u=userid w=writer s=story bg=biggenre g=genre k=keyword gf=general_firstup gl=general_lastup nt=noveltype e=end ga=general_all_no l=length ti=time i=isstop ir=isr15 ibl=isbl igl=isgl izk=iszankoku its=istensei iti=istenni gp=global_point dp=daily_point wp=weekly_point mp=monthly_point qp=quarter_point yp=yearly_point f=fav_novel_cnt imp=impression_cnt r=review_cnt a=all_point ah=all_hyoka_cnt sa=sasie_cnt ka=kaiwaritu nu=novelupdated_at ua=updated_at',
});

export const NOVEL18API = read({
  filters: {
    text: 'word notword',
    flag: 'title ex keyword wname isbl isgl iszankoku istensei istenni istt notbl notgl notzankoku nottensei nottenni ispickup',
    number: 'minlen maxlen mintime maxtime',
    numbers: 'nocgenre notnocgenre buntai',
    range: 'length kaiwaritu sasie time',
    times: 'lastup lastupdate firstup',
    ncodes: 'ncode',
    xids: 'xid',
    type: 'type',
    stop: 'stop',
  },
  orders:
    'new favnovelcnt reviewcnt hyoka hyokacnt lengthdesc dailypoint weeklypoint monthlypoint quarterpoint yearlypoint weekly lengthasc old',
  of: 't=title n=ncode w=writer s=story ng=nocgenre k=keyword gf=general_firstup gl=general_lastup nt=noveltype e=end ga=general_all_no l=length ti=time i=isstop ibl=isbl igl=isgl izk=iszankoku its=istensei iti=istenni gp=global_point dp=daily_point wp=weekly_point mp=monthly_point qp=quarter_point yp=yearly_point f=fav_novel_cnt imp=impression_cnt r=review_cnt a=all_point ah=all_hyoka_cnt sa=sasie_cnt ka=kaiwaritu nu=novelupdated_at ua=updated_at',
});

export const USERAPI = read({
  filters: {
    text: 'word notword',
    number: 'userid minnovel maxnovel minreview maxreview',
    hiragana: 'name1st',
  },
  orders: 'new novelcnt reviewcnt novellength sumglobalpoint old',
  of: 'u=userid n=name y=yomikata 1=name1st nc=novel_cnt rc=review_cnt nl=novel_length sg=sum_global_point',
});
