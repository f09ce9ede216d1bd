import type { Locator, Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { VIEW_NAMES as CATALOGUE_VIEWS } from '../../packages/mokuroku/src/explorer/catalogue/view.ts';
import type { VIEW_NAMES as DOMAIN_VIEWS } from '../../packages/mokuroku/src/explorer/domain/domain-url.ts';
import { isAsset, waitForStillness } from './explorer-page.ts';
import type { Visitor } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

/** An address, and the titles of the browser tab in both languages without the name of the page. */
type Example = readonly [address: string, japanese: string, english: string];

// One address for each view in the pages' tables; without one this file does not compile.
const CATALOGUE: Record<(typeof CATALOGUE_VIEWS)[number], Example> = {
  search: ['/?word=%E9%AD%94%E6%B3%95', '魔法 – 小説をさがす', '魔法 – Find a novel'],
  ranking: ['/?ranking=daily', '日間ランキング', 'Daily ranking'],
  compare: ['/?compare=NCODES', '作品を比べる', 'Compare novels'],
  novel: ['/?ncode=NCODE', 'TITLE', 'TITLE'],
  author: ['/?userid=USERID', 'WRITER', 'WRITER'],
  shelf: ['/?shelf=1', '本棚', 'My shelf'],
  authors: ['/?authors=', '作者をさがす', 'Find an author'],
};
const DOMAIN: Record<(typeof DOMAIN_VIEWS)[number], Example> = {
  home: ['/', 'ドメインの登録を調べる', 'Look up a domain registration'],
  one: ['/?domain=example.com', 'example.com', 'example.com'],
  many: ['/?names=example.com,example.jp', '2件のドメインの登録', '2 domain registrations'],
};
/** Views outside of the tables. */
const MORE: Record<string, Example> = {
  reference: ['/docs', '小説目録 API', 'Novel Catalogue Query API'],
};
/** Without a followed novel or domain they request nothing. */
const OF_FOLLOWED = ['shelf', 'home'];

type Service = 'catalogue' | 'registration';
const examplesOf = (service: Service, examples: Record<string, Example>) =>
  Object.entries(examples).map(([name, example]) => [name, service, ...example] as const);
const EXAMPLES = [
  ...examplesOf('catalogue', { ...CATALOGUE, ...MORE }),
  ...examplesOf('registration', DOMAIN),
];

/** All views read failures by the same code: each has one of these. */
const FAILURES = [
  [502, 'upstream_unavailable', 'Source unreachable'],
  [503, 'overloaded', 'Service overloaded'],
] as const;

const explored = explore();
let sample: { ncode: string; userid: number; title: string; writer: string }[];

beforeAll(async () => {
  sample = await explored.query('/v1/novels?order=weeklypoint&type=re&minlen=200000&lim=2&of=n-u-t-w');
});

/** Words in capitals are replaced by the sample's first novel. */
function fill(text: string): string {
  const [first, second] = sample;
  return text
    .replace('NCODES', `${first!.ncode},${second!.ncode}`)
    .replace('NCODE', first!.ncode)
    .replace('USERID', String(first!.userid))
    .replace('TITLE', first!.title)
    .replace('WRITER', first!.writer);
}

async function open(service: Service, visitor: Visitor = {}, follows = false) {
  const watched = await explored.open(undefined, visitor, service);
  const followed = [
    { kind: 'novel', id: sample[0]!.ncode, label: 'a novel', seen: null, latest: null },
    { kind: 'domain', id: 'example.com', label: 'example.com', seen: null, latest: null },
  ];
  const shelf = JSON.stringify(JSON.stringify({ followed }));
  if (follows) await watched.page.addInitScript(`localStorage.setItem('mokuroku-shelf', ${shelf})`);
  return watched;
}

const isRequest = ({ pathname }: URL) => !isAsset(pathname);

/** Lets `respond` replace the service for some requests until the returned function is called. */
async function answerWith(
  page: Page,
  respond: (route: Route) => Promise<void>,
  url: RegExp | ((url: URL) => boolean) = isRequest,
): Promise<() => void> {
  let isReplaced = true;
  await page.route(url, (route) => (isReplaced ? respond(route) : route.continue()));
  return () => {
    isReplaced = false;
  };
}
/** The page's clock also runs by itself, so retries of earlier failures are awaited too. */
const passUntil = (page: Page, milliseconds: number, isReached: () => Promise<boolean>) =>
  expect
    .poll(async () => {
      if (await isReached()) return true;
      await page.clock.runFor(milliseconds);
      return isReached();
    })
    .toBe(true);
const noSkeleton = (page: Page) =>
  passUntil(page, 4_000, async () => (await page.locator('.skeleton').count()) === 0);
const failure = (status: number, code: string, headers: Record<string, string> = {}) => ({
  status,
  headers,
  json: { error: { code, message: 'No.' } },
});
/** Holds requests back until it has a response for them. */
function holdResponses() {
  let give: (respond: (route: Route) => Promise<void>) => void = () => undefined;
  let given = new Promise<(route: Route) => Promise<void>>((resolve) => (give = resolve));
  return {
    respond: async (route: Route) => (await given)(route),
    /** For requests that wait, and for all from now on. */
    give: (respond: (route: Route) => Promise<void>) => {
      give(respond);
      given = Promise.resolve(respond);
    },
  };
}

/** Presses "try again" until no reason is left. Parts of a view may fail one after the other, each with its own button. */
async function retryAll(page: Page, reasons: Locator) {
  const again = page.getByRole('button', { name: 'Try again' });
  await expect
    .poll(async () => {
      for (const button of await again.elementHandles()) await button.click().catch(() => undefined);
      return reasons.count();
    })
    .toBe(0);
}

const beyondLimit = (route: Route) => route.fulfill(failure(429, 'rate_limited', { 'Retry-After': '9' }));

describe.each(EXAMPLES)('the view %s of the %s', (name, service, address, japanese, english) => {
  const follows = OF_FOLLOWED.includes(name);

  /** The view in English, with `respond` for the service until `restore` is called. The test moves its clock. */
  async function openWith(respond: (route: Route) => Promise<void>) {
    const { page, context } = await open(service, { language: 'en' }, follows);
    await page.clock.install();
    const restore = await answerWith(page, respond);
    await page.goto(fill(address));
    return { page, context, restore };
  }

  it('has its sample mark, its calls, and its title in the selected language', async () => {
    const { page, calls } = await open(service, { language: 'ja' }, follows);
    await page.goto(fill(address));
    await page.locator('.api-button').click();
    await waitForStillness(page);
    expect(await page.locator('.source-line .note-sample').textContent()).toMatch('架空');
    await expect.poll(() => page.title()).toBe(`${fill(japanese)} – 目録`);
    const links = page.locator('.api-calls li a');
    const shownCalls = async () =>
      (await links.evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href))).map(
        (address) => new URL(address).pathname + new URL(address).search,
      );
    // Includes the calls of a part that loads later.
    await expect
      .poll(async () => [...new Set(await shownCalls())].sort())
      .toEqual([...new Set(calls)].sort());
    const shown = await shownCalls();
    expect(shown).not.toHaveLength(0);
    expect(await page.locator('.api-calls').textContent()).toContain('GET');
    await page.getByRole('button', { name: 'English' }).click();
    await expect.poll(() => page.title()).toBe(`${fill(english)} – mokuroku`);
    expect(await page.locator('.source-line .note-sample').textContent()).toMatch('invented');
  });

  // One visit, since each load of a page takes more processor time than what it then shows.
  it('reports a slow response, a limit, a failure and a lost network, each with its way on', async () => {
    const responses = holdResponses();
    const { page, context, restore } = await openWith((route) => responses.respond(route));
    await page.locator('main h1').waitFor({ state: 'attached' });
    await page.clock.runFor(7_000);
    const main = page.locator('main');
    await main
      .getByText(/taking a while \(\d+ s\)/)
      .first()
      .waitFor();

    // Over the limit it counts down, and then requests by itself.
    responses.give(beyondLimit);
    await main
      .getByText(/\b[1-9] s\b/)
      .first()
      .waitFor();
    const [status, code, reason] = FAILURES[name.length % FAILURES.length]!;
    responses.give((route) => route.fulfill(failure(status, code)));
    const reasons = main.getByText(reason);
    await passUntil(page, 4_000, async () => (await reasons.count()) > 0);
    await noSkeleton(page);

    // In the place of the content; the line at the top of every view reports it too.
    const offline = page.locator('main > :not(.source-line, .api-calls)').getByText('Service unreachable');
    responses.give((route) => route.abort('internetdisconnected'));
    await context.setOffline(true);
    await retryAll(page, reasons);
    await passUntil(page, 4_000, async () => (await offline.count()) > 0);
    await noSkeleton(page);

    // With the network back it requests by itself; after a failure by its button.
    responses.give((route) => route.fulfill(failure(status, code)));
    await context.setOffline(false);
    await passUntil(page, 500, async () => (await offline.count()) === 0 && (await reasons.count()) > 0);
    restore();
    await retryAll(page, reasons);
    await passUntil(page, 500, async () => (await page.locator('[data-problem], .note-wait').count()) === 0);
    await waitForStillness(page);
  });

  it('reports an empty response', async () => {
    const meta = { cached: false, tookMs: 0, source: 'sample', upstreamAllCount: 0 };
    const { page } = await openWith((route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/-/look-ups') return route.fulfill({ contentType: 'application/x-ndjson', body: '' });
      const isList = /^\/v1\/(novels|rankings\/[^/]+|users)$|history$|hydrated$|\/v1\/rankings/.test(
        pathname,
      );
      return route.fulfill(isList ? { json: { data: [], meta } } : failure(404, 'not_found'));
    });
    // A list of look-ups that ends early is requested again; its 200 is no limit.
    if (name === 'many') await page.getByText('Retrying in').first().waitFor();
    const notices = page.locator('[data-state=empty], [data-problem], .many [data-state], .shelf-rows');
    await passUntil(page, 4_000, async () => (await notices.count()) > 0);
    await noSkeleton(page);
  });
});

it('an optional part shows why it is missing: the previous ranking, over the limit', async () => {
  const { page } = await open('catalogue', { language: 'ja' });
  await page.clock.install();
  const restore = await answerWith(page, beyondLimit, /\/v1\/rankings\/.*date=/);
  await page.goto('/?ranking=daily');
  const head = page.locator('.board-head');
  await head.getByText('順位の動きは表示できません').waitFor();
  await head.getByText(/[1-9]秒後に、自動でもう一度試します/).waitFor();
  restore();
  await page.clock.runFor(10_000);
  await page.locator('.board .up, .board .down').first().waitFor();
  await page.locator('.part-missing').waitFor({ state: 'detached' });
});
