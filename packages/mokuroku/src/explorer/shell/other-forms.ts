// Which forms of a response besides JSON the catalogue offers, by the address of its call: for the menu of every view.
// A form has the filters of the call; only of a paged list it takes more than the page shown.
import type { Call } from './calls.ts';
import type { Language } from './preferences.ts';

type OtherFormName = 'csv' | 'ndjson' | 'atom';

export interface OtherForm {
  form: OtherFormName;
  href: string;
  /** Of a paged list: the number of rows that the form has, and of all rows. */
  part?: { rows: number; all: number } | undefined;
  /** What it has, where a view shows more than that or less. */
  note?: FormNote | undefined;
}

/** All dates, whatever time the chart shows; the recorded changes of novels; the works of authors. */
type FormNote = 'history' | 'changes' | 'works';

interface List {
  path: RegExp;
  forms: readonly OtherFormName[];
  /** The most rows of one response, of a paged list. */
  mostRows?: number;
  note?: FormNote;
}

/** The catalogue's lists with the forms that `format=` selects. */
const LISTS: readonly List[] = [
  { path: /^\/v1\/(r18\/)?novels$/, forms: ['csv', 'ndjson', 'atom'], mostRows: 500 },
  { path: /^\/v1\/rankings\/\w+(\/hydrated)?$/, forms: ['csv', 'atom'] },
  { path: /^\/v1\/changes$/, forms: ['csv', 'atom'], note: 'changes' },
  { path: /^\/v1\/users$/, forms: ['csv'], mostRows: 50 },
  { path: /^\/v1\/novels\/\w+\/ranking-history$/, forms: ['csv'], note: 'history' },
];

/** Only JSON has counts, a feed chooses its own fields, and a cursor of the shelf expires. */
const WITHOUT_EFFECT: Readonly<Record<OtherFormName, readonly string[]>> = {
  csv: ['facets', 'since'],
  ndjson: ['facets', 'lim'],
  atom: ['facets', 'of', 'since'],
};

interface Shown {
  /** Whether the service sends whole lists as lines. */
  hasLines: boolean;
  /** Of the page: a feed has its title in it. */
  language: Language;
}

function formOfList(form: OtherFormName, call: Call, list: List, { language }: Shown): OtherForm {
  const { pathname, searchParams } = new URL(call.url);
  // From the first row, whichever page is shown.
  for (const name of [...WITHOUT_EFFECT[form], 'st']) searchParams.delete(name);
  const { mostRows, note = searchParams.has('userid') ? 'works' : undefined } = list;
  if (note === 'history') searchParams.delete('lim');
  if (mostRows !== undefined && form === 'csv') searchParams.set('lim', String(mostRows));
  searchParams.set('format', form);
  // Without the mark, spreadsheets misread Japanese.
  if (form === 'csv') searchParams.set('bom', '1');
  // Of novels by their codes, readers wait for episodes, as the served HTML says.
  if (form === 'atom' && mostRows && searchParams.has('ncode')) searchParams.set('feed', 'episodes');
  if (form === 'atom' && language === 'en') searchParams.set('lang', language);
  const href = `${pathname}?${searchParams.toString()}`;
  if (mostRows === undefined || call.total === undefined) return { form, href, note };
  const lim = Number(searchParams.get('lim') ?? Infinity);
  return { form, href, note, part: { rows: Math.min(lim, call.total), all: call.total } };
}

/** The other forms of the response to a call. */
function otherForms(call: Call, shown: Shown): OtherForm[] {
  const { pathname, searchParams } = new URL(call.url);
  const [, novels, ncode] = /^(\/v1\/(?:r18\/)?novels)\/(\w+)$/.exec(pathname) ?? [];
  // The feed of a novel is that of its episodes, with its title.
  if (ncode !== undefined)
    return [{ form: 'atom', href: `${novels}?ncode=${ncode}&feed=episodes&format=atom` }];
  const list = LISTS.find(({ path }) => path.test(pathname));
  if (list === undefined) return [];
  return (
    list.forms
      .filter((form) => shown.hasLines || form !== 'ndjson')
      // Past rankings bring nothing new.
      .filter((form) => form !== 'atom' || !searchParams.has('from'))
      .map((form) => formOfList(form, call, list, shown))
  );
}

/**
 * Each form once: that of the first call that has it, since a view sends its main call first. The works of authors are
 * beside it: a shelf has novels too.
 */
export function formsOfCalls(calls: readonly Call[], shown: Shown): OtherForm[] {
  const all = calls.flatMap((call) => otherForms(call, shown));
  const kindOf = ({ form, note }: OtherForm) => (note === 'works' ? `${form} of works` : form);
  return all.filter((one, index) => all.findIndex((other) => kindOf(other) === kindOf(one)) === index);
}
