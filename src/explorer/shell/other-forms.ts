// Which forms of a response besides JSON the catalogue offers, by the path of its call: for the menu of every view.

type OtherFormName = 'csv' | 'atom' | 'ics';

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

/** The feed of a novel is that of its episodes. */
const feedOfNovel = (ncode: string): string => `/v1/novels?ncode=${ncode}&feed=episodes&format=atom`;

/** The other forms of the response to a call, by its URL. */
export function otherForms(url: string): OtherForm[] {
  const { pathname, searchParams } = new URL(url);
  const [, ncode] = /^\/v1\/novels\/(\w+)$/.exec(pathname) ?? [];
  if (ncode !== undefined) return [{ form: 'atom', href: feedOfNovel(ncode) }];
  const forms = LISTS.find(([path]) => path.test(pathname))?.[1] ?? [];
  // Only JSON has counts.
  searchParams.delete('facets');
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
