import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import {
  DAY,
  HOUR,
  MINUTE,
  THEN,
  followedUpstream,
  novel,
  novels,
} from '../../packages/local-catalogue/test/followed-upstream.ts';
import { seededRandom } from '../../packages/narou/test/random-questions.ts';
import { buildIndex, changeIndex } from '../../packages/local-catalogue/src/engine/build-index.ts';
import { overFolder } from '../../packages/mokuroku/test/catalogue/local-folder.ts';
import { startTestCatalogue } from '../../packages/mokuroku/test/catalogue/start-test-catalogue.ts';
import type { Change } from '@mokuroku/narou/queries';
import type { LocalSource } from '@mokuroku/local-catalogue';
import { japanDateTime } from '@mokuroku/narou';

const upstream = followedUpstream();

interface Page {
  data: Change[];
  meta: { next: string; more: boolean };
  error?: { code: string; message: string };
}

/** A service over a folder, started anew; stopped by the test. */
async function serve(dir: string, rateLimit = 0) {
  const { clock } = upstream;
  const { get, source, close } = await startTestCatalogue({ clock, rateLimit, sourceOver: overFolder(dir) });
  await (source as LocalSource).refresh();
  return {
    close,
    send: async (query: string) => {
      const { status, headers, body } = await get(`/v1/changes?${query}`);
      return { status, headers, ...(body as unknown as Page) };
    },
    textOf: async (query: string) => (await get(`/v1/changes?${query}`)).text,
    linesOf: async (query: string) => {
      const { headers, text } = await get(`/v1/changes?format=ndjson&${query}`);
      return { total: headers['x-total-count'], lines: text.trimEnd().split('\n') };
    },
  };
}

const update = (index: number, of: object) => {
  const all = upstream.novels ?? [];
  upstream.novels = all.map((each, at) => (at === index ? { ...each, ...of } : each));
};
const nowInJapan = () => japanDateTime(upstream.clock.now());

/** A new episode, as an author publishes it. */
function publish(index: number): string {
  const before = upstream.novels?.[index];
  const count = (before?.general_all_no ?? 0) + 1;
  update(index, { general_all_no: count, general_lastup: nowInJapan(), novelupdated_at: nowInJapan() });
  return `${before?.ncode ?? ''} ${count}`;
}

describe('a bot that follows its cursor', { timeout: 120_000 }, () => {
  it('gets each of 400 episodes exactly once, over rounds, whole days, restarts and pages of all sizes', async () => {
    const dir = temporaryFolder();
    const random = seededRandom(22);
    const any = (most: number) => Math.floor(random() * most);
    upstream.novels = novels(60, { general_all_no: 10 });
    await upstream.followUntil(dir, THEN + HOUR);
    const published: string[] = [];
    const seen: string[] = [];
    const ids = new Set<string>();
    const first = await serve(dir);
    let cursor = (await first.send('since=now')).meta.next;
    await first.close();
    for (let round = 1; published.length < 400; round++) {
      for (let each = 40 + any(80); each > 0 && published.length < 400; each--)
        published.push(publish(any(60)));
      // Pauses of ten minutes to a day: rounds of changes, and complete builds.
      const pause = round % 4 === 0 ? DAY : 10 * MINUTE * (1 + any(3));
      // Within a day, a request every two hours has the same effect as one every ten minutes, at a twelfth of the
      // cost.
      await upstream.followUntil(
        dir,
        upstream.clock.now() + pause,
        pause === DAY ? { rounds: 2 * HOUR } : {},
      );
      if (random() < 0.3) continue;
      const service = await serve(dir);
      for (;;) {
        const { data, meta } = await service.send(`since=${cursor}&kind=episode&lim=${1 + any(40)}`);
        seen.push(...data.map(({ ncode, episode }) => `${ncode} ${episode ?? ''}`));
        for (const { id } of data) ids.add(id);
        cursor = meta.next;
        if (!meta.more) break;
      }
      await service.close();
    }
    await upstream.followUntil(dir, upstream.clock.now() + 2 * HOUR);
    const last = await serve(dir);
    const { data } = await last.send(`since=${cursor}&kind=episode&lim=500`);
    await last.close();
    seen.push(...data.map(({ ncode, episode }) => `${ncode} ${episode ?? ''}`));
    for (const { id } of data) ids.add(id);
    expect(seen.sort()).toEqual(published.sort());
    expect(ids.size).toBe(400);
  });
});

describe('an event of a novel', { timeout: 120_000 }, () => {
  it('is listed by kind, in order, also if a full walk or a daily round found it', async () => {
    const dir = temporaryFolder();
    upstream.novels = Array.from({ length: 30 }, (_, index) =>
      novel(index, { general_all_no: 10, userid: 7, title: `題${index}` }),
    );
    await upstream.followUntil(dir, THEN + HOUR);
    const start = await serve(dir);
    const { next } = (await start.send('since=now')).meta;
    await start.close();
    update(1, { title: '別の題', novelupdated_at: nowInJapan() });
    update(2, { userid: 8, novelupdated_at: nowInJapan() });
    update(3, { story: '新しい筋', novelupdated_at: nowInJapan() });
    update(4, { weekly_point: 9 });
    const published = nowInJapan();
    const times = { general_firstup: published, general_lastup: published, novelupdated_at: published };
    upstream.novels.push(novel(50, times));
    const gone = upstream.novels[9];
    upstream.novels = upstream.novels.filter((each) => each !== gone);
    // The daily round finds withdrawn novels.
    await upstream.followUntil(dir, THEN + 3 * DAY);
    if (gone) upstream.novels = [...upstream.novels, { ...gone, novelupdated_at: nowInJapan() }];
    await upstream.followUntil(dir, THEN + 4 * DAY);
    const service = await serve(dir);
    const { data, headers } = await service.send(`since=${next}`);
    const events = data.map(({ kind, ncode, before }) => [kind, ncode, before]);
    expect(events.slice(0, 4).sort()).toEqual([
      ['author_changed', 'N0002AA', { userid: 7 }],
      ['new', 'N0050AA', {}],
      ['renamed', 'N0001AA', { title: '題1' }],
      ['rewritten', 'N0003AA', { story: novel(3).story, novelupdated_at: novel(3).novelupdated_at }],
    ]);
    expect(events.slice(4)).toEqual([
      ['withdrawn', 'N0009AA', {}],
      ['restored', 'N0009AA', { novelupdated_at: novel(9).novelupdated_at }],
    ]);
    expect(headers['x-total-count']).toBe('6');
    expect((await service.send(`since=${next}&userid=7&kind=author_changed,renamed`)).data).toHaveLength(2);
    expect((await service.send(`since=${next}&ncode=n0009aa&lim=1`)).meta.more).toBe(true);
    const { lines } = await service.linesOf(`since=${next}`);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      ...data,
      { meta: expect.objectContaining({ more: false }) as unknown },
    ]);
    expect((await service.send(`since=${next}&changed=title,userid`)).data).toHaveLength(2);
    expect(await service.linesOf(`since=${next}&kind=new,restored`)).toEqual({
      total: '2',
      lines: ['"new"', '"restored"', '"meta"'].map((what) => expect.stringContaining(what) as string),
    });
    const feedOf = (query: string) => service.textOf(`since=${next}&format=atom${query}`);
    const idsOf = (feed: string) => [...feed.matchAll(/<id>tag:[^:]+:(.+?)<\/id>/g)].map(([, id]) => id);
    const feed = await feedOf('');
    expect(new Set(idsOf(feed).filter((id) => id?.startsWith('changes/'))).size).toBe(6);
    expect(feed).toContain('<title>改題: 別の題</title>');
    const titleOf = (text: string) => /<title>(.*?)</.exec(text)?.[1];
    expect([titleOf(feed), titleOf(await feedOf('&lim=5'))]).toEqual(['小説の更新', '小説の更新']);
    expect(titleOf(await feedOf('&userid=7&genre=201'))).toBe(
      '小説の更新: ハイファンタジー〔ファンタジー〕、作者 7',
    );
    expect(titleOf(await feedOf('&ncode=N0001AA&kind=episode,new&lang=en'))).toBe('Episode / New: N0001AA');
    expect(await feedOf('&lang=en')).toMatch(/^<feed[^>]* xml:lang="en">[^]*<entry xml:lang="ja">/m);
    expect(feed).toContain('/?ncode=N0001AA"/>');
    // Readers know a feed by its id: the same for every cursor and length.
    expect(idsOf(await feedOf('&userid=7&lim=5'))[0]).toBe('changes?userid=7');
    await service.close();
  });
});

it('a change of an adult novel is not recorded, because no response contains it', async () => {
  const dir = temporaryFolder();
  upstream.novels = [novel(0, { general_all_no: 10 }), novel(1)];
  await upstream.followUntil(dir, THEN + HOUR, { adult: true });
  publish(0);
  await upstream.followUntil(dir, THEN + 4 * HOUR, { adult: true });
  const logsOf = (site: string) =>
    fs.readdirSync(path.join(dir, site)).filter((name) => name.startsWith('changes-'));
  expect([logsOf('novels').length, logsOf('adult').length]).toEqual([1, 0]);
});

it('in a feed an episode has the time of its publication, any other event that of its discovery', async () => {
  const dir = temporaryFolder();
  const folder = path.join(dir, 'novels');
  const now = upstream.clock.now() / 1000;
  const first = (of: object) => novel(1, { general_all_no: 10, fetched_at: 0, ...of });
  const second = (title: string) => novel(2, { title, fetched_at: 0 });
  await buildIndex(folder, [first({}), second('題')], { now });
  const episode = first({ general_all_no: 11, general_lastup: '2013-06-10 07:00:00' });
  await changeIndex(folder, [episode, second('別の題')], { now });
  const service = await serve(dir);
  const feed = await service.textOf('format=atom');
  const entries = [...feed.matchAll(/<title>([^<]+?): [^<]*<\/title><updated>([^<]+)</g)];
  expect(entries.map(([, kind, updated]) => [kind, updated]).sort()).toEqual([
    ['改題', new Date(THEN).toISOString().replace('.000Z', 'Z')],
    ['最新話', '2013-06-09T22:00:00Z'],
  ]);
  await service.close();
});

it('in a feed an episode that appeared twice is one entry; a table has a row for each event', async () => {
  const dir = temporaryFolder();
  const folder = path.join(dir, 'novels');
  const now = upstream.clock.now() / 1000;
  const withEpisodes = (count: number, hour: number) =>
    novel(1, { general_all_no: count, general_lastup: `2013-06-10 0${hour}:00:00`, fetched_at: 0 });
  await buildIndex(folder, [withEpisodes(10, 6)], { now });
  for (const [count, hour] of [
    [11, 7],
    [10, 6],
    [11, 7],
  ] as const)
    await changeIndex(folder, [withEpisodes(count, hour)], { now });
  const service = await serve(dir);
  expect(
    [...(await service.textOf('format=atom')).matchAll(/<title>([^<]+?): /g)].map(([, kind]) => kind),
  ).toEqual(['最新話', '改稿']);
  const [header, ...rows] = (await service.textOf('format=csv')).trimEnd().split('\r\n');
  expect(header).toMatch(/^cursor,id,kind,.*,episode,changed,before$/);
  expect(rows.map((row) => row.split(',')[2])).toEqual(['episode', 'rewritten', 'episode']);
  expect(rows[1]).toContain('"[""general_all_no""]","{""general_all_no"":11}"');
  await service.close();
});

it('each of hundreds of new episodes is a line, five hundred of them a request, and an entry with its own number', async () => {
  const dir = temporaryFolder();
  const folder = path.join(dir, 'novels');
  const now = upstream.clock.now() / 1000;
  const withEpisodes = (count: number) =>
    novel(1, { general_all_no: count, general_lastup: japanDateTime(THEN + count * 1_000), fetched_at: 0 });
  await buildIndex(folder, [withEpisodes(10)], { now });
  await changeIndex(folder, [withEpisodes(1_010)], { now });
  const service = await serve(dir, 60);
  const { lines } = await service.linesOf('');
  expect((await service.send('since=now')).headers['ratelimit']).toMatch(/;r=57;/);
  expect(JSON.parse(lines.pop() ?? '')).toMatchObject({ meta: { more: false } });
  const numbers = lines.map((line) => (JSON.parse(line) as { episode: number }).episode);
  expect(numbers).toEqual(Array.from({ length: 1_000 }, (_, index) => 11 + index));
  const countOf = async (lim: number) => (await service.linesOf(`lim=${lim}`)).lines.length;
  expect([await countOf(3), await countOf(500)]).toEqual([4, 501]);
  const titles = [
    ...(await service.textOf('format=atom&lim=2')).matchAll(/<title>最新話: .*?\((\d+)\)<\/title>/g),
  ];
  expect(titles.map(([, number]) => number)).toEqual(['1010', '1009']);
  await service.close();
});

describe('a cursor', () => {
  it('expires when events after it are older than two weeks, and the error says what to do', async () => {
    const dir = temporaryFolder();
    const { clock } = upstream;
    const folder = path.join(dir, 'novels');
    // Records that were never fetched do not age.
    const episodes = (index: number, count: number) =>
      novel(index, { general_all_no: count, general_lastup: nowInJapan(), fetched_at: 0 });
    const write = (index: number) => changeIndex(folder, [episodes(index, 11)], { now: clock.now() / 1000 });
    await buildIndex(folder, [episodes(1, 10), episodes(2, 10)], { now: clock.now() / 1000 });
    const first = await serve(dir);
    const { next: oldest } = (await first.send('since=now')).meta;
    await first.close();
    await write(1);
    const second = await serve(dir);
    const { next: nextBefore } = (await second.send(`since=${oldest}`)).meta;
    clock.set(THEN + 16 * DAY);
    // Nothing was written since, but outdated events are still not returned.
    expect((await second.send('lim=2')).data).toEqual([]);
    await second.close();
    await write(2);
    const service = await serve(dir);
    const refused = await service.send(`since=${oldest}`);
    expect([refused.status, refused.error?.code]).toEqual([410, 'cursor_expired']);
    expect(refused.error?.message).toMatch(/since=now/);
    expect((await service.send('since=00000000-1-1')).status).toBe(410);
    expect((await service.send('since=7')).status).toBe(400);
    expect((await service.send(`since=${nextBefore}`)).data.map(({ ncode }) => ncode)).toEqual(['N0002AA']);
    expect((await service.send('')).data.map(({ ncode }) => ncode)).toEqual(['N0002AA']);
    // A replica that lags behind the cursor's origin neither fails nor returns to older events.
    const ahead = nextBefore.replace(/-\d+-\d+$/, '-21-1');
    expect((await service.send(`since=${ahead}`)).meta).toMatchObject({ next: ahead, more: false });
    // A folder restored from a backup would be silent until it has caught up.
    const restored = await service.send(`since=${nextBefore.replace(/-\d+-\d+$/, '-22-1')}`);
    expect([restored.status, restored.error?.message]).toEqual([410, expect.stringContaining('ahead')]);
    await service.close();
  });
});
