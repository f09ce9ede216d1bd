import path from 'node:path';
import { expect, it } from 'vitest';
import { changeIndex } from '../../packages/local-catalogue/src/engine/build-index.ts';
import { systemClock } from '@mokuroku/kit/process';
import { japanDateTime } from '@mokuroku/narou';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { fillLocalFolder } from '../../packages/mokuroku/test/catalogue/local-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ofThePage, waitForStillness } from './explorer-page.ts';
import { useBrowser } from './explorer-service.ts';

const sample = createEmbeddedCatalogue({ clock: systemClock });
const novels = sample.novels().filter(({ end, novel_type }) => novel_type === 1 && end === 1);
const [first, second, third, fourth] = novels.filter(({ isstop }) => isstop === 0);
const { serve, visit } = useBrowser();

it('the shelf on a local catalogue requests only changes: episodes, titles, hiatus, withdrawals', async () => {
  const dir = temporaryFolder();
  const now = Date.now();
  const fetchedAt = Math.floor(now / 1_000) - 3_600;
  await fillLocalFolder(dir, sample, { fetchedAt, now, adult: false });
  const service = await serve({ CATALOGUE_SOURCE: 'local', CATALOGUE_DIR: dir });
  const { page, calls, faults } = await visit(service, { language: 'en' });
  /** The requests of the shelf until the page shows `shown`, which needs the last response. */
  const open = async (shown: string) => {
    const before = calls.length;
    const answered = page.waitForResponse(/\/v1\/rankings/);
    await page.goto('/?shelf=1');
    await answered;
    await page.locator('.results[aria-busy=false]').getByText(shown).first().waitFor();
    return calls.slice(before).map((call) => call.replace(/since=[\w-]+/, 'since=CURSOR'));
  };
  const moves = () => page.locator('.moves > li').allTextContents();

  const followed = [first!, second!, third!, fourth!];
  for (const { ncode } of followed) {
    await page.goto(`/?ncode=${ncode}`);
    await waitForStillness(page);
    await page.locator('.follow-button').first().click();
  }
  const ncodes = followed.map(({ ncode }) => ncode).join('%2C');
  const initial = await open('No changes.');
  expect(initial.toSorted()).toEqual([
    `/v1/changes?ncode=${ncodes}&lim=500`,
    expect.stringMatching(/^\/v1\/novels\?ncode=/),
    '/v1/rankings/daily',
  ]);

  // Without changes: two requests, none of them for a record.
  const changes = `/v1/changes?ncode=${ncodes}&lim=500&since=CURSOR`;
  expect((await open('No changes.')).toSorted()).toEqual([changes, '/v1/rankings/daily']);

  const grown = { general_all_no: first!.general_all_no + 2, general_lastup: japanDateTime(now) };
  const put = [
    { ...first!, ...grown, title: '改めた題名', fetched_at: fetchedAt },
    { ...second!, isstop: 1 as const, fetched_at: fetchedAt },
  ];
  await changeIndex(path.join(dir, 'novels'), { put, remove: [third!.ncode] }, { now: now / 1_000 });
  const read = async (): Promise<unknown> =>
    (await fetch(`${service}/v1/changes?ncode=${third!.ncode}`)).json();
  await expect.poll(read, { timeout: 15_000 }).toMatchObject({ data: [{ kind: 'withdrawn' }] });

  const calledNow = await open('renamed, formerly');
  expect(calledNow.slice(0, 2).toSorted()).toEqual([changes, '/v1/rankings/daily']);
  // Requests only the records of changed novels.
  expect(calledNow.slice(2)).toEqual([expect.stringMatching(/^\/v1\/novels\?ncode=[^&]{27}&lim=3&/)]);
  expect(await moves()).toEqual(
    expect.arrayContaining([
      `episodes: ${first!.general_all_no} → ${first!.general_all_no + 2}`,
      `renamed, formerly “${first!.title}”`,
      'ongoing → on long hiatus',
      'ongoing → withdrawn',
    ]),
  );
  // A cursor of another catalogue restarts from the beginning and loses nothing.
  await page.evaluate(`{
    const shelf = JSON.parse(localStorage.getItem('mokuroku-shelf'));
    localStorage.setItem('mokuroku-shelf', JSON.stringify({ ...shelf, cursor: '00000000-1-1' }));
  }`);
  expect(await open('renamed, formerly')).toHaveLength(4);
  expect(await moves()).toContain('ongoing → withdrawn');
  expect(ofThePage(faults)).toEqual([]);
}, 120_000);
