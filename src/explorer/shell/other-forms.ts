// Which forms of a response besides JSON the services offer, by the path of its call: for the menu of every view.

export type OtherFormName = 'csv' | 'atom' | 'ics';

export interface OtherForm {
  form: OtherFormName;
  /** Relative to the page. */
  href: string;
}

/** The forms of the catalogue's lists, which `format=` selects. */
const LISTS: readonly (readonly [path: RegExp, forms: readonly OtherFormName[]])[] = [
  [/^\/v1\/(r18\/)?novels$/, ['csv', 'atom']],
  [/^\/v1\/rankings\/\w+(\/hydrated)?$/, ['csv', 'atom']],
  [/^\/v1\/(changes)$/, ['csv', 'atom']],
  [/^\/v1\/(users|ranking-histories|novels\/\w+\/ranking-history)$/, ['csv']],
];

/** Of a list: the columns and counts that only JSON has. */
const ONLY_JSON = ['facets'];

/** The other forms of the response to a call, by its URL. */
export function otherForms(url: string): OtherForm[] {
  const { pathname, searchParams } = new URL(url);
  if (pathname === '/-/look-ups') {
    return [
      { form: 'ics', href: `/-/expiry.ics?names=${encodeURIComponent(searchParams.get('names') ?? '')}` },
    ];
  }
  // The path of a look-up is a domain name.
  if (/^\/(?!openapi\.json$)[^/]+$/.test(pathname)) return [{ form: 'ics', href: `${pathname}/expiry.ics` }];
  const forms = LISTS.find(([path]) => path.test(pathname))?.[1] ?? [];
  for (const name of ONLY_JSON) searchParams.delete(name);
  return forms.map((form) => {
    const query = new URLSearchParams([...searchParams, ['format', form]]);
    return { form, href: `${pathname}?${query.toString()}` };
  });
}

/** Each form once: that of the first call that has it, since a view sends its main call first. */
export function formsOfCalls(urls: readonly string[]): OtherForm[] {
  const all = urls.flatMap(otherForms);
  return all.filter(({ form }, index) => all.findIndex((other) => other.form === form) === index);
}
