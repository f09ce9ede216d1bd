import path from 'node:path';
import { expect, it } from 'vitest';
import { HOUR_AGO, localServices } from '../../packages/mokuroku/test/catalogue/local-services.ts';
import { buildIndex } from '../../packages/local-catalogue/src/engine/build-index.ts';

const services = localServices();

it('a folder of invented novels is marked in every response, and its feeds link to this service; of others not', async () => {
  const dir = services.copyOf('sample');
  const novels = services.datedNovels(() => HOUR_AGO).slice(0, 9);
  const build = (isSample: boolean) =>
    buildIndex(path.join(dir, 'novels'), novels, { spacing: 4, isSample, isLogged: false });
  const { get, local, base } = await services.start(dir);
  const feed = '/v1/novels?format=atom&lim=1';
  for (const isSample of [true, false, true]) {
    await build(isSample);
    await local.refresh();
    expect(local.isSample()).toBe(isSample);
    // Twice, because the second response is cached.
    // More than once, because a cached response takes another way.
    for (const question of [
      ...Array<string>(3).fill('/v1/novels?lim=1'),
      '/v1/novels/N9999ZZ',
      '/readyz',
      '/',
    ]) {
      const marks = [question, (await get(question)).headers['x-data']];
      expect(marks).toEqual([question, isSample ? 'sample' : undefined]);
    }
    const { text } = await get(`${feed}&of=n&st=${isSample ? 1 : 2}`);
    expect(text.includes('https://ncode.syosetu.com/')).toBe(!isSample);
    expect(text.includes(`${base}/?ncode=`)).toBe(isSample);
    const page = await get('/');
    // Authors are offered only if there are any.
    if (page.status === 200)
      expect(page.text.match(/<meta name="(?:sample|users)"/g)).toEqual([
        '<meta name="users"',
        ...(isSample ? ['<meta name="sample"'] : []),
      ]);
  }
});
