import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { RunningCommand } from './running-service.ts';

/**
 * Debian's Chromium. The headless shell (`apt-get install chromium-headless-shell`) renders the same with half of the
 * processor time: it has no windows, toolbars and extensions around the page.
 */
const CHROMIUM =
  process.env['CHROMIUM'] ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file)) ??
  'chromium';
const QUIET = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Each launch has its own empty profile, which is deleted afterwards. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET });
}

export interface Visitor {
  language?: 'ja' | 'en';
  scheme?: 'light' | 'dark';
  /** Pixels. */
  width?: 320 | 360 | 768 | 1440;
}

export interface WatchedPage {
  page: Page;
  context: BrowserContext;
  /** Requested paths with query on the services' interfaces (not the page's own files). */
  calls: string[];
  /** Requests to other hosts, console errors and warnings, exceptions: none are allowed. */
  faults: string[];
}

export function isAsset(pathname: string): boolean {
  return pathname === '/' || ['/assets/', '/_/', '/docs'].some((start) => pathname.startsWith(start));
}

/**
 * Finds tests that read a page before it is rendered. MOKUROKU_LATE_ANSWERS delays each API response by as many
 * milliseconds; MOKUROKU_SLOW_PROCESSOR divides the speed of the page.
 */
async function slowDown(page: Page): Promise<void> {
  const late = Number(process.env['MOKUROKU_LATE_ANSWERS'] ?? 0);
  const rate = Number(process.env['MOKUROKU_SLOW_PROCESSOR'] ?? 1);
  if (late > 0)
    await page.context().route(
      ({ pathname }) => !isAsset(pathname),
      async (route) => {
        await new Promise((resolve) => setTimeout(resolve, late));
        // The test may have closed its page in between.
        await route.continue().catch(() => undefined);
      },
    );
  if (rate > 1) {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate });
  }
}

/** A page of a new visitor that records everything forbidden. */
export async function openPage(browser: Browser, base: string, visitor: Visitor = {}): Promise<WatchedPage> {
  const width = visitor.width ?? 1440;
  const context = await browser.newContext({
    baseURL: base,
    locale: visitor.language === 'en' ? 'en-GB' : 'ja-JP',
    colorScheme: visitor.scheme ?? 'light',
    viewport: { width, height: width <= 360 ? 740 : 900 },
    isMobile: width <= 360,
    hasTouch: width <= 360,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await slowDown(page);
  const calls: string[] = [];
  const faults: string[] = [];
  const origin = new URL(base).origin;
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin) faults.push(`asked ${request.url()}`);
    else if (!isAsset(url.pathname)) calls.push(url.pathname + url.search);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  return { page, context, calls, faults };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeViolation {
  id: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/** Axe's rules whose result depends on colours. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** All violations that axe reports within a part, best practices included, one line an element. */
export async function findWithAxe(page: Page, only?: 'colors', within = 'html'): Promise<string[]> {
  // Without `resultTypes` axe also describes each element that passes. Its default is to skip `target-size`.
  const options = {
    resultTypes: ['violations'],
    ...(only === 'colors' ? { runOnly: COLOR_RULES } : { rules: { 'target-size': { enabled: true } } }),
  };
  // Through the debugger, so that the page's Content-Security-Policy stays as it is.
  if (await page.evaluate<boolean>('globalThis.axe === undefined')) await page.evaluate(AXE);
  const violations = await page.evaluate(
    async (given) => {
      const { axe } = globalThis as unknown as {
        axe: { run: (part: string, given: unknown) => Promise<{ violations: unknown[] }> };
      };
      return (await axe.run(given.within, given.options)).violations;
    },
    { within, options },
  );
  return (violations as AxeViolation[]).flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${String(node.target)} ${node.failureSummary ?? ''}`),
  );
}

/** Waits until nothing is loading. */
export async function waitForStillness(page: Page): Promise<void> {
  await page.locator('main h1').waitFor({ state: 'attached' });
  await page.locator('.skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** The page's layout shift since it was opened (Cumulative Layout Shift). */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    // Entries arrive after the frame that they describe.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 100)));
  })`);
}

/** Clickable elements smaller than 24 px in either direction; inline links are listed by their text. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('button, select, input, summary, nav a, a.chip, a.writer')]
    .map((each) => [each, (each.closest('.pills label, label.check') ?? each).getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 0 && (width < 24 || height < 24))
    .map(([each, { width, height }]) => each.outerHTML.slice(0, 80) + ' ' + width + 'x' + height)`);
}

/** Horizontal overflow in pixels: 0 on a page that fits. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>(
    'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)',
  );
}

/** English words broken in their middle; names and codes may be. */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const broken = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode()); ) {
      const { parentElement: element } = text;
      if (element.closest('.hidden, pre, code, .tree, option, [lang=ja]') || !element.checkVisibility()) continue;
      for (const { 0: word, index } of text.data.matchAll(/[A-Za-z’]{2,}/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top));
        if (new Set(lines).size > 1) broken.push(word);
      }
    }
    return broken;
  })()`);
}

export const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

/** The titles of the novels in a list. */
export const titlesOf = (page: Page) => page.locator('.rows a.main').allTextContents();

/** The stars that follow a novel, an author or a domain. */
export const starsOf = (page: Page) => page.locator('.follow-button');

export const focusedText = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

export const openSaveMenu = (page: Page) => page.getByText('Save or follow').click();

/** The calendar behind a link for calendar programs in the save menu. */
export async function readCalendar(page: Page, link = 'Add to a calendar'): Promise<string> {
  await openSaveMenu(page);
  const address = await page.locator('.save-menu').getByRole('link', { name: link }).getAttribute('href');
  return (await fetch((address ?? '').replace('webcal:', 'http:'))).text();
}

export const attributes = async (all: Locator, name: string): Promise<string[]> =>
  Promise.all((await all.all()).map(async (each) => (await each.getAttribute(name)) ?? ''));

/** Chromium's own message about an error response is no fault of the page. */
export const ofThePage = (faults: string[]) =>
  faults.filter((fault) => !fault.includes('Failed to load resource'));

/** Holds requests back until the returned function is called. */
export async function holdBack(page: Page, url: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    // The page may have aborted it.
    await route.continue().catch(() => undefined);
  });
  return release;
}

/** The name and the text of the file that a button saves. */
export async function savedFile(page: Page, button: string): Promise<{ name: string; text: string }> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const saved = await saving;
  return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'utf8') };
}

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
