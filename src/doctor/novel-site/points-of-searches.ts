import { ofCodesServedBy } from '../../catalogue/novels/of-fields.ts';
import { NOT_SEEN, read } from './open-point.ts';
import type { OpenPoint } from './open-point.ts';
import { requestsJson } from './site.ts';
import type { NovelSite } from './site.ts';

const NOVELS = '/novelapi/api/';
const DEFAULT_LIM = 20;
const MAX_LIM = 500;

const novels = (query: string): string => requestsJson(NOVELS, `of=n&order=ncodeasc&${query}`);
const FIRST = novels('lim=20');

/** How the site treats a `lim`, by the number of rows. */
const rowsOf = (query: string, names: Readonly<Record<number, string>>) =>
  read([novels(query)], ({ records, kind }) =>
    records === undefined ? kind : (names[records.length] ?? `${records.length} rows`),
  );

/** Whether a filter that the site may not know had an effect. */
const filterOf = (all: string, filtered: string, names: { none: string; all: string }) =>
  read([all, filtered], ({ allcount: total }, { allcount, kind }) => {
    if (allcount === undefined || total === undefined) return kind;
    if (allcount === 0) return names.none;
    // The total is outdated.
    return allcount > total * 0.9 ? names.all : `${allcount} rows`;
  });

const keysOf = (answer: (keys: string[]) => string) =>
  read([requestsJson(NOVELS, 'of=gp-n-nt-t&lim=1&opt=weekly')], ({ records }) =>
    answer(Object.keys(records?.[0] ?? {})),
  );

const OF_FIELDS = ['global_point', 'ncode', 'noveltype', 'title'];

/** The longest list of codes that the service ever sends. */
async function probeLongList(site: NovelSite): Promise<string> {
  const { ncodes } = await site.request(novels('lim=500'));
  if (ncodes.length < MAX_LIM) return NOT_SEEN;
  const query = `of=n&lim=${MAX_LIM}&ncode=${ncodes.join('-')}`;
  const { records, kind } = await site.request(requestsJson(NOVELS, query));
  if (records === undefined) return kind;
  return records.length >= ncodes.length * 0.9 ? 'served' : `${records.length} rows`;
}

/** Open points about novelapi and novel18api. */
export const POINTS_OF_SEARCHES: readonly OpenPoint[] = [
  {
    id: 'lim-above-500',
    switch: 'limAboveMax',
    question: 'What does lim=501 give?',
    probe: rowsOf('lim=501', { 500: 'clamp', 501: 'serve', [DEFAULT_LIM]: 'default', 0: 'empty' }),
  },
  {
    id: 'lim-zero',
    switch: 'limZero',
    question: 'What does lim=0 give?',
    probe: rowsOf('lim=0', { [DEFAULT_LIM]: 'default', 1: 'one', 0: 'empty' }),
  },
  {
    id: 'st-zero',
    switch: 'stZero',
    question: 'What does st=0 give?',
    probe: read([FIRST, novels('lim=3&st=0')], (first, { kind, ncodes }) => {
      if (kind !== 'rows') return kind;
      return ncodes[0] === first.ncodes[0] ? 'first' : 'other rows';
    }),
  },
  {
    id: 'st-above-2000',
    switch: 'stBeyondWindow',
    question: 'What does st=2001 give?',
    probe: read([novels('lim=2&st=2000'), novels('lim=1&st=2001')], (last, { kind, ncodes: [first] }) =>
      first === undefined ? kind : (['clamp', 'serve'][last.ncodes.indexOf(first)] ?? 'other rows'),
    ),
  },
  {
    id: 'lim-no-number',
    switch: 'invalidNumber',
    question: 'What does lim=3x give, which is no number?',
    probe: rowsOf('lim=3x', { [DEFAULT_LIM]: 'default', 3: 'prefix', 0: 'empty' }),
  },
  {
    id: 'filter-without-sense',
    switch: 'invalidFilter',
    question: 'What does genre=abc give, a filter without sense?',
    probe: filterOf(FIRST, novels('lim=1&genre=abc'), { none: 'empty', all: 'ignore' }),
  },
  {
    id: 'unknown-order',
    switch: 'unknownOrder',
    question: 'What does an unknown order give?',
    probe: read(
      [requestsJson(NOVELS, 'of=n&lim=20'), requestsJson(NOVELS, 'of=n&lim=20&order=hyouka')],
      (usual, { kind, ncodes }) => {
        if (kind !== 'rows') return kind;
        // The newest novels change every second.
        return ncodes.some((ncode) => usual.ncodes.includes(ncode)) ? 'default' : 'another order';
      },
    ),
  },
  {
    id: 'unknown-of-codes',
    switch: 'ofAllUnknown',
    question: 'What does `of` give without a single known code?',
    probe: read([requestsJson(NOVELS, 'of=zz&lim=1')], ({ records, kind }) => {
      if (records === undefined) return kind;
      const keys = Object.keys(records[0] ?? {}).length;
      if (keys === 0) return 'empty';
      return keys >= ofCodesServedBy('novelapi').length ? 'all' : `${keys} fields`;
    }),
  },
  {
    id: 'key-order',
    switch: 'keyOrder',
    question: 'In which order do the keys of a record come when `of` is given?',
    probe: keysOf((all) => {
      const keys = all.filter((key) => OF_FIELDS.includes(key)).join(' ');
      if (keys === OF_FIELDS.join(' ')) return 'requested';
      return keys === 'title ncode noveltype global_point' ? 'canonical' : keys || NOT_SEEN;
    }),
  },
  {
    id: 'weekly-unique-position',
    switch: 'weeklyUniquePosition',
    question: 'Where does weekly_unique stand in a record?',
    probe: keysOf((keys) => {
      const index = keys.indexOf('weekly_unique');
      if (index < 0) return keys.length > 0 ? 'absent' : NOT_SEEN;
      return index === 0 ? 'first' : index === keys.length - 1 ? 'last' : 'between';
    }),
    expected: ['first', 'between', 'last'],
    consequence: 'opt=weekly of the service has no effect. Report it.',
  },
  {
    id: 'firstup-filter',
    switch: 'firstupFilter',
    question: 'Does the undocumented filter firstup work?',
    probe: filterOf(FIRST, novels('lim=1&firstup=1-2'), { none: 'works', all: 'ignored' }),
    expected: ['works'],
    consequence: 'The filter firstup of the service has no effect. Report it.',
  },
  {
    id: 'stale-allcount',
    switch: 'staleAllcount',
    question: 'Does allcount differ from page to page?',
    probe: read([FIRST, novels('lim=2&st=2000')], ({ allcount: one }, { allcount: other }) =>
      one === undefined || other === undefined ? NOT_SEEN : String(one !== other),
    ),
  },
  {
    id: 'long-ncode-list',
    switch: 'maxUrlLength',
    assumed: 'served',
    question: 'Is a list of 500 Ncodes, a URL of 4 kB, accepted?',
    probe: probeLongList,
    expected: ['served'],
    consequence: 'Rankings cannot be given with their novels. Report it.',
  },
  {
    id: 'adult-foreign-filter',
    switch: 'adultForeignFilters',
    question: 'What does userid, a filter of novelapi alone, do at novel18api?',
    probe: filterOf(
      requestsJson('/novel18api/api/', 'of=n&lim=1'),
      requestsJson('/novel18api/api/', 'of=n&lim=1&userid=1'),
      { none: 'empty', all: 'ignore' },
    ),
  },
];
