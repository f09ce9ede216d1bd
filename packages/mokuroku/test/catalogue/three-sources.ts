import { beforeAll, beforeEach, it } from 'vitest';
import type { TestAPI } from 'vitest';
import { openLocalSource } from '../../../local-catalogue/src/local/local-source.ts';
import { silentLogger } from '@mokuroku/kit/process';
import { filledFolder } from './local-folder.ts';
import { TEST_NOW, sharedWorld, startTestCatalogue } from './start-test-catalogue.ts';
import type { TestCatalogue, TestCatalogueOptions } from './start-test-catalogue.ts';
import { isServedBy } from '../../../narou/src/novels/of-fields.ts';
import { NOVELAPI_ORDERS } from '../../../narou/src/novels/orders.ts';
import type { NovelapiOrder } from '../../../narou/src/novels/orders.ts';

/**
 * The sources of the contract: the sample, without a limit on `st`; an upstream with its window; and a folder, with
 * that upstream for users only, because no folder contains users.
 */
export const SOURCES = ['sample', 'upstream', 'local'] as const;
export type SourceName = (typeof SOURCES)[number];

/** The number of upstream requests caused by a number of client requests. */
export const requestsOn = (name: SourceName, requests: number): number =>
  name === 'upstream' ? requests : 0;

/** The orders of a search that an upstream, or local data, can sort by. */
export const ordersOn = (isUpstream: boolean, orders: object): NovelapiOrder[] =>
  (Object.keys(orders) as NovelapiOrder[]).filter(
    (order) => !isUpstream || isServedBy('novelapi', NOVELAPI_ORDERS[order]),
  );

const none = () => undefined;
const noTest = Object.assign(none, { each: () => none }) as unknown as TestAPI;

/** `it` for tests of upstream requests; skipped for the sample and a folder, which send none. */
export const itRequesting = (name: SourceName): TestAPI => (name === 'upstream' ? it : noTest);

/** The service over one of the three, which all hold the same data. */
export async function startOn(name: SourceName, options: TestCatalogueOptions = {}): Promise<TestCatalogue> {
  if (name === 'upstream') return startTestCatalogue(options);
  if (name === 'sample') return startTestCatalogue({ ...options, isSample: true });
  const dir = await filledFolder(sharedWorld().catalogue, TEST_NOW / 1000);
  return startTestCatalogue({
    ...options,
    sourceOver: (upstream, clock) => openLocalSource({ dir, upstream, clock, logger: silentLogger() }),
  });
}

/** The service over one of the three for the tests of a `describe`: one for all of them, or one for each. */
export function serviceOn(name: SourceName, lifetime: 'describe' | 'test' = 'describe'): TestCatalogue {
  const service = {} as TestCatalogue;
  const begin = lifetime === 'test' ? beforeEach : beforeAll;
  begin(async () => {
    Object.assign(service, await startOn(name));
    return async () => {
      await service.close();
      // Vitest holds every test, and so this object, until the last file: it must not hold the service.
      for (const member of Object.keys(service)) Reflect.deleteProperty(service, member);
    };
  });
  return service;
}
