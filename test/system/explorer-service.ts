import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launchChromium, openPage, waitForStillness } from './explorer-page.ts';
import type { Visitor, WatchedPage } from './explorer-page.ts';
import { startServe } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';

interface Explored {
  readonly services: RunningCommand;
  readonly browser: Browser;
  /** A page of a new visitor, closed after the test. With an address, resolves when it is rendered. */
  open: (address?: string, visitor?: Visitor, service?: 'catalogue' | 'registration') => Promise<WatchedPage>;
  /** The data of a response of the catalogue. */
  query: <T>(call: string) => Promise<T>;
}

/** Both services and a browser for the tests of a file. */
export function explore(environment: Record<string, string> = { RATE_LIMIT: '0' }): Explored {
  let services: RunningCommand;
  let browser: Browser;
  const opened: WatchedPage[] = [];
  beforeAll(async () => {
    services = await startServe({ LOG_LEVEL: 'silent', ...environment });
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const { context } of opened.splice(0)) await context.close();
  });
  afterAll(async () => {
    await browser.close();
    await services.end('SIGINT');
  });
  return {
    get services() {
      return services;
    },
    get browser() {
      return browser;
    },
    open: async (address, visitor, service = 'catalogue') => {
      const watched = await openPage(browser, services[service], visitor);
      opened.push(watched);
      if (address === undefined) return watched;
      await watched.page.goto(address);
      await waitForStillness(watched.page);
      return watched;
    },
    query: async <T>(call: string) =>
      ((await (await fetch(services.catalogue + call)).json()) as { data: T }).data,
  };
}

/** A browser for the tests of a file; `cleanUps` run after each of them, the last first. */
export function useBrowser() {
  let browser: Browser;
  const cleanUps: (() => unknown)[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  afterAll(() => browser.close());
  /** A page of a new visitor. */
  async function open(address: string, visitor?: Visitor): Promise<WatchedPage> {
    const watched = await openPage(browser, address, visitor);
    cleanUps.push(() => watched.context.close());
    return watched;
  }
  return { cleanUps, open };
}
