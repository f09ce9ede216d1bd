import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { systemClock } from '@mokuroku/kit/process';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { launchChromium, namedViews, openPage, waitForStillness } from './explorer-page.ts';
import type { NamedView, Visitor, WatchedPage } from './explorer-page.ts';
import { startServe } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';

const QUIET = { CATALOGUE_PORT: '0', REGISTRATION_PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'silent' };

type StartService = typeof startCatalogue;

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
  return {
    cleanUps,
    /** A page of a new visitor, closed after the test. */
    visit: async (address: string, visitor?: Visitor): Promise<WatchedPage> => {
      const watched = await openPage(browser, address, visitor);
      cleanUps.push(() => watched.context.close());
      return watched;
    },
    /** The address of a service in this process, without a limit unless `environment` has one. */
    serve: async (
      environment: Record<string, string> = {},
      clock = systemClock,
      start: StartService = startCatalogue,
    ): Promise<string> => {
      const service = await start({ ...QUIET, ...environment }, clock);
      cleanUps.push(() => service.close());
      return service.address;
    },
  };
}

interface Explored extends ReturnType<typeof useBrowser> {
  services: RunningCommand;
  /** Every view of all pages. */
  views: NamedView[];
  /** A page of a new visitor. With an address, resolves when it is rendered. */
  open: (address?: string, visitor?: Visitor, service?: 'catalogue' | 'registration') => Promise<WatchedPage>;
  /** The data of a response of the catalogue. */
  query: <T>(call: string) => Promise<T>;
}

/** Both services and a browser for the tests of a file. */
export function explore(environment: Record<string, string> = { RATE_LIMIT: '0' }): Explored {
  const browser = useBrowser();
  const explored = {
    ...browser,
    open: async (address, visitor, service = 'catalogue') => {
      const watched = await browser.visit(explored.services[service], visitor);
      if (address === undefined) return watched;
      await watched.page.goto(address);
      await waitForStillness(watched.page);
      return watched;
    },
    query: async <T>(call: string) =>
      ((await (await fetch(explored.services.catalogue + call)).json()) as { data: T }).data,
  } as Explored;
  beforeAll(async () => {
    explored.services = await startServe({ LOG_LEVEL: 'silent', ...environment });
    explored.views = await namedViews(explored.services);
  });
  afterAll(() => explored.services.end('SIGINT'));
  return explored;
}
