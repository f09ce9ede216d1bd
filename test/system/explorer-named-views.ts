import type { RunningCommand } from './running-service.ts';

/** A view of a page by its address. */
export interface NamedView {
  name: string;
  service: 'catalogue' | 'registration';
  address: string;
}

/** Every view of all pages, on the sample. Those for adults are behind a button, so only the button is here. */
export async function namedViews(services: RunningCommand): Promise<NamedView[]> {
  const call = '/v1/novels?order=weeklypoint&type=re&minlen=200000&lim=3&of=n-u';
  const answer = await fetch(services.catalogue + call);
  const { data } = (await answer.json()) as { data: { ncode: string; userid: number }[] };
  const [novel] = data;
  const catalogue: [string, string][] = [
    ['search', '/?type=er&minlen=10000&genre=201,301&notbl=1'],
    ['nothing-found', '/?word=qqqqqq&genre=201&type=t'],
    ['ranking', '/?ranking=monthly'],
    ['ranking-filtered', '/?ranking=daily&genre=2&state=ongoing'],
    ['flow', '/?ranking=weekly&flow=1'],
    ['compare', `/?compare=${data.map(({ ncode }) => ncode).join(',')}&period=weekly`],
    ['novel', `/?ncode=${novel!.ncode}`],
    ['author', `/?userid=${novel!.userid}`],
    ['authors', '/?authors='],
    ['age-confirmation', '/?r18=1'],
    ['refused', '/?order=best&genre=12345'],
    ['reference', '/docs'],
  ];
  const registration: [string, string][] = [
    ['domain-form', '/'],
    ['domain', '/?domain=mokuroku-sample.com'],
    ['domain-free', '/?domain=nobody-holds-this.com'],
    ['domain-many', '/?names=example.com,example.jp,nobody-holds-this.com,reserved-sample.org'],
    ['domain-reference', '/docs'],
  ];
  const named = (service: NamedView['service'], views: [string, string][]) =>
    views.map(([name, address]) => ({ name, service, address }));
  return [...named('catalogue', catalogue), ...named('registration', registration)];
}
