import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordByHand } from '../../../test/catalogue/search-by-hand.ts';
import { omit } from '../../../test/catalogue/invented-records.ts';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { SOURCES, startOn } from '../../../test/catalogue/three-sources.ts';

describe.each(SOURCES)('on %s', (source) => {
  let service: TestCatalogue;
  beforeAll(async () => {
    service = await startOn(source);
  });
  afterAll(() => service.close());

  describe('one adult novel', () => {
    it('has all its metadata', async () => {
      const novel = service.catalogue.adultNovels()[0];
      const { body } = await service.get(`/v1/r18/novels/${novel?.ncode.toLowerCase() ?? ''}`);
      expect(omit(body.data as Record<string, unknown>, 'nocgenre_label')).toEqual(
        recordByHand(novel as never, undefined),
      );
      expect(body.meta.source).toBe('novel18api');
    });

    it('is 404 if it does not exist, also for the code of a general novel', async () => {
      const general = service.catalogue.novels()[0]?.ncode ?? '';
      for (const ncode of ['N9999ZZ', general]) {
        const { status, body } = await service.get(`/v1/r18/novels/${ncode}`);
        expect([status, body.error.code]).toEqual([404, 'not_found']);
      }
    });
  });
});
