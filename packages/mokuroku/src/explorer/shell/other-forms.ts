// Which forms of a response besides JSON the service offers, by the address of its call: for the menu of every view. A
// form has the filters of the call; only of a paged list it takes more than the page shown.
import type { Call } from './calls.ts';
import { pageFact } from './page-facts.ts';
import type { Language } from './preferences.ts';

/** See `formFacts` of the catalogue's `endpoints/forms.ts`. */
export interface FormFacts {
  forms: Readonly<Record<string, Form | undefined>>;
  lists: readonly List[];
}

interface Form {
  /** Of what it is made. */
  of: 'table' | 'feed' | 'lines';
  label: Readonly<Record<Language, string>>;
  without: readonly string[];
  /** Further query parameters of its address. */
  inMenu?: Readonly<Record<string, string>>;
}

export interface OtherForm {
  form: string;
  label: string;
  href: string;
  /** Of a paged list: the number of rows that the form has, and of all rows. */
  part?: { rows: number; all: number } | undefined;
  /** What it has, where a view shows more than that or less. */
  note?: FormNote | undefined;
}

/** All dates, whatever time the chart shows; the recorded changes of novels; the works of authors. */
type FormNote = 'history' | 'changes' | 'works';

interface List {
  /** `/v1/novels/:ncode/ranking-history` */
  path: string;
  forms: readonly string[];
  /** The most rows of one response, of a paged list. */
  most?: number;
}

/** By the last part of the path. */
const NOTES: Readonly<Record<string, FormNote | undefined>> = {
  changes: 'changes',
  'ranking-history': 'history',
};

interface Shown {
  facts: FormFacts;
  /** Of the page: a feed has its title in it. */
  language: Language;
}

/** Those that the running service has written into the page. */
export const formFacts = (): FormFacts =>
  JSON.parse(pageFact('forms') ?? '{"forms":{},"lists":[]}') as FormFacts;

function formOfList(form: string, call: Call, { path, most }: List, { facts, language }: Shown): OtherForm {
  const { pathname, searchParams } = new URL(call.url);
  const { of, label, without = [], inMenu = {} } = facts.forms[form] ?? {};
  // From the first row, whichever page is shown; a cursor of the shelf expires.
  for (const name of ['st', 'since', ...without]) searchParams.delete(name);
  const note =
    NOTES[path.slice(path.lastIndexOf('/') + 1)] ?? (searchParams.has('userid') ? 'works' : undefined);
  if (note === 'history' || of === 'lines') searchParams.delete('lim');
  if (most !== undefined && of === 'table') searchParams.set('lim', String(most));
  for (const [name, value] of Object.entries({ format: form, ...inMenu })) searchParams.set(name, value);
  // Of novels by their codes, readers wait for episodes, as the served HTML says.
  if (of === 'feed' && most && searchParams.has('ncode')) searchParams.set('feed', 'episodes');
  if (of === 'feed' && language === 'en') searchParams.set('lang', language);
  const shown = {
    form,
    label: label?.[language] ?? form,
    href: `${pathname}?${searchParams.toString()}`,
    note,
  };
  if (most === undefined || call.total === undefined) return shown;
  const lim = Number(searchParams.get('lim') ?? Infinity);
  return { ...shown, part: { rows: Math.min(lim, call.total), all: call.total } };
}

const matches = (path: string, pathname: string): boolean =>
  new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(pathname);

/** The other forms of the response to a call. */
function otherForms(call: Call, shown: Shown): OtherForm[] {
  const { pathname } = new URL(call.url);
  const [, novels, ncode] = /^(\/v1\/(?:r18\/)?novels)\/(\w+)$/.exec(pathname) ?? [];
  // The feed of a novel is that of its episodes, with its title.
  if (ncode !== undefined) {
    const label = shown.facts.forms['atom']?.label[shown.language] ?? '';
    return [{ form: 'atom', label, href: `${novels}?ncode=${ncode}&feed=episodes&format=atom` }];
  }
  const list = shown.facts.lists.find(({ path }) => matches(path, pathname));
  return list === undefined ? [] : list.forms.map((form) => formOfList(form, call, list, shown));
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
