import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { plainNovel } from '../../../../narou/test/plain-novel.ts';
import { TEST_NOW, startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { buildIndex, changeIndex } from '../../../../local-catalogue/src/engine/build-index.ts';
import { overFolder } from '../../../test/catalogue/local-folder.ts';

it('a page and a stream that end with the last event request no further page', async () => {
  const dir = temporaryFolder();
  const options = { now: TEST_NOW / 1000 };
  await buildIndex(`${dir}/novels`, [plainNovel()], options);
  const later = plainNovel({ general_all_no: 510, general_lastup: '2026-11-02 18:00:00' });
  await changeIndex(`${dir}/novels`, [later], options);
  let pages = 0;
  const { get, close } = await startTestCatalogue({
    sourceOver: (upstream, clock) => {
      const local = overFolder(dir)(upstream, clock);
      const changes: typeof local.changes = (query) => {
        if (++pages > 7) throw new Error('an eighth page');
        return local.changes!(query);
      };
      return { ...local, changes };
    },
  });
  const { body, headers } = await get('/v1/changes?lim=500');
  expect(body.data).toHaveLength(500);
  expect([body.meta, headers['link']]).toMatchObject([{ more: false }, undefined]);
  const { text } = await get('/v1/changes?format=ndjson');
  expect(text.trimEnd().split('\n')).toHaveLength(501);
  // One for the page, one for the head of the stream, five for its lines.
  expect(pages).toBe(7);
  await close();
});
