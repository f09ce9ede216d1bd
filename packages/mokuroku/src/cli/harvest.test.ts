import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { newestGeneration } from '../../../local-catalogue/src/engine/index-generations.ts';
import { harvestedIn, reportIn } from '../../../local-catalogue/test/harvest-under-test.ts';
import { verifyIndex } from '../../../local-catalogue/test/index-under-test.ts';
import { publishRankings } from '../../../local-catalogue/src/local/ranking-files.ts';
import { japan, upstreamUnderTest } from '../../../narou/test/upstream-under-test.ts';
import { runRecorded } from '../../test/cli/recording-terminal.ts';
import type { Terminal } from './terminal.ts';
import { EXIT } from './exit-codes.ts';

const upstream = upstreamUnderTest();
const root = temporaryFolder();

function run(args: readonly string[], of: Partial<Terminal> = {}) {
  const environment = { NAROU_BASE_URL: upstream.server.url, HARVEST_PAUSE_MS: '0', ...of.environment };
  return runRecorded(['harvest', ...args], { ...of, environment });
}

const counted = (count: number): string => count.toLocaleString('en');

describe('mokuroku harvest', () => {
  it('fetches every novel with every field of the upstream within its window, and builds an index', async () => {
    const dir = temporaryFolder();
    const { code, out, err } = await run(['--dir', dir]);
    const all = upstream.catalogue.novels();
    const whole = counted(all.length);
    expect(code).toBe(EXIT.done);
    const [sentence, blank, header, row, ...more] = out.split('\n');
    expect([sentence, blank, more]).toEqual([
      `novels: ${whole} novels fetched; the upstream counts ${whole}; 0 missing`,
      '',
      [''],
    ]);
    expect(header?.split(/ +/)).toEqual(
      'site had counted missing unreadable doubled requests bytes'.split(' '),
    );
    expect(row).toMatch(new RegExp(`^novels +${whole} +${whole} +0 +0 +0 +[0-9]+ +[0-9,]+$`));
    expect(err).toMatch(/^novels {2}novels 0 .* requests$/m);
    const harvested = harvestedIn(dir, 'novels');
    expect(harvested.size).toBe(all.length);
    for (const novel of all) {
      const { fetched_at, ...fields } = harvested.get(novel.ncode)!;
      // Searchable, but in no response.
      expect({ ...fields, fetched_at: 0 }).toEqual({ ...novel, buntai: undefined });
      expect(Math.abs(fetched_at - Date.now() / 1000)).toBeLessThan(600);
    }
    expect(verifyIndex(path.join(dir, 'novels'))).toEqual([]);
    expect(fs.existsSync(path.join(dir, 'adult'))).toBe(false);
    await expectWindow(upstream.server.requests().map(({ query }) => new URLSearchParams(query)));
  });

  /** Checks that no request starts beyond 2,000 or fetches a second page of a range with more than 2,000 novels. */
  async function expectWindow(sent: readonly URLSearchParams[]): Promise<void> {
    expect(sent.length).toBeGreaterThan(10);
    for (const query of sent) {
      expect(Number(query.get('st'))).toBeLessThanOrEqual(2_000);
      expect(Number(query.get('lim'))).toBeLessThanOrEqual(500);
    }
    const pages = sent.filter((query) => query.get('lim') === '500');
    expect(new Set(pages.map(String)).size, 'no page is read twice').toBe(pages.length);
    const ranges = pages.filter((query) => query.get('st') !== '1').map((query) => query.get('lastup'));
    expect(new Set(ranges).size).toBeGreaterThan(1);
    for (const lastup of new Set(ranges)) {
      const [result] = await upstream.rows(`novelapi/api/?lastup=${String(lastup)}&lim=1&of=n`);
      expect(result?.['allcount']).toBeLessThanOrEqual(2_000);
    }
  }

  it('--adult also fetches the adult novels, into a separate folder; folders are created with their parents', async () => {
    const dir = path.join(temporaryFolder(), 'not', 'there');
    upstream.clock.set(japan('2012-01-01T12:00:00'));
    expect((await run(['--dir', dir, '--adult'])).code).toBe(EXIT.done);
    const all = upstream.catalogue.adultNovels();
    expect(harvestedIn(dir, 'novels').size).toBe(upstream.catalogue.novels().length);
    expect(newestGeneration(path.join(dir, 'novels'))?.changes).toBeDefined();
    expect(newestGeneration(path.join(dir, 'adult'))).not.toHaveProperty('changes');
    const harvested = harvestedIn(dir, 'adult');
    expect(harvested.size).toBe(all.length);
    for (const novel of all) {
      // Author ids, for example.
      const unanswered = { xid: undefined, buntai: undefined, fetched_at: 0 };
      expect({ ...harvested.get(novel.ncode), ...unanswered }).toEqual({ ...novel, ...unanswered });
    }
  });

  it('fetches every novel of an upstream with duplicate rows and a missing field, and prints both', async () => {
    const dir = temporaryFolder();
    upstream.clock.set(japan('2013-01-01T12:00:00'));
    const faults = { doubledRows: true, missingField: 'length', fieldFaultEvery: 150 } as const;
    Object.assign(upstream.server.switches, faults);
    const { code, out, err } = await run(['--dir', dir]);
    expect(code).toBe(EXIT.done);
    expect(err.match(/missing_field length/g)).toHaveLength(1);
    expect(out).toMatch(/; 0 missing\nnovels, length: missing from [1-9]/);
    expect(harvestedIn(dir, 'novels').size).toBe(upstream.catalogue.novels().length);
    const { missing, walk } = reportIn(dir) ?? {};
    expect([missing, Object.keys(walk?.fieldsMissing ?? {})]).toEqual([0, ['length']]);
    expect(walk?.doubled).toBeGreaterThan(0);
  });

  it('builds no index from an upstream that renamed a field, and names the field', async () => {
    const dir = temporaryFolder();
    upstream.clock.set(japan('2012-01-01T12:00:00'));
    Object.assign(upstream.server.switches, { renamedField: 'global_point' });
    const { code, err } = await run(['--dir', dir]);
    expect(code).toBe(EXIT.unavailable);
    expect(err).toMatch(
      /novels: global_point was missing from .* records\. A harvest that finds the same .* No index was built/,
    );
    expect(reportIn(dir)?.refusedBecause).toMatch(/global_point/);
    expect(fs.existsSync(path.join(dir, 'novels'))).toBe(false);
  });

  it.each([
    [[], /--dir/],
    [['--dir', 'x', 'y'], /takes no words/],
  ])('%j is rejected, with the valid form', async (args, message) => {
    const { code, err } = await run(args);
    expect(code).toBe(EXIT.usage);
    expect(err).toMatch(message);
  });

  // Nothing can be created below /proc, although the error is not EACCES.
  it.each(['/proc/mokuroku/catalogue', path.join(root, 'x'.repeat(300)), path.join(root, 'dangling')])(
    'reports that the folder cannot be created: %s',
    async (dir) => {
      fs.rmSync(path.join(root, 'dangling'), { force: true });
      fs.symlinkSync(path.join(root, 'nowhere'), path.join(root, 'dangling'));
      const { code, err } = await run(['--dir', dir]);
      expect(code).toBe(EXIT.failed);
      expect(err).toContain(`Cannot write to ${dir}: E`);
    },
  );

  it('names the remedy if the system allows too few open files during the harvest', async () => {
    const dir = temporaryFolder();
    vi.spyOn(fs, 'fdatasyncSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', syscall: 'open' });
    });
    const { code, err } = await run(['--dir', dir]);
    expect(code).toBe(EXIT.usage);
    expect(err).toContain('ulimit -n 1024');
    expect(err).not.toContain('Cannot write');
  });

  it('reports which rankings of the folder are damaged, and continues from the previous ones', async () => {
    const dir = temporaryFolder();
    upstream.clock.set(japan('2012-01-01T12:00:00'));
    const folder = path.join(dir, 'rankings');
    const ranking = { type: 'daily', date: '2013-05-01', fetchedAt: 1_700_000_000, rows: [] } as const;
    await publishRankings(folder, { put: [ranking] });
    await publishRankings(folder, { put: [{ ...ranking, date: '2013-05-02' }] });
    fs.writeFileSync(path.join(folder, 'rankings-000002', 'table'), 'X', { flag: 'r+' });
    const stop = new AbortController();
    const { code, err } = await run(['--dir', dir, '--rankings'], {
      // Longer than what happens between two requests, so that there is a pause before each; it is not waited for.
      environment: { HARVEST_PAUSE_MS: '10000' },
      interrupted: stop.signal,
      pause: () => {
        if (upstream.server.requests().some(({ path: given }) => given.includes('rankget'))) stop.abort();
        return Promise.resolve();
      },
    });
    expect(code).toBe(EXIT.interrupted);
    expect(err.match(/skipped a damaged generation.*rankings-000002\/table/g)).toHaveLength(1);
  });

  it('names every invalid setting', async () => {
    const { code, err } = await run(['--dir', temporaryFolder()], {
      environment: { HARVEST_PAUSE_MS: '10001', HARVEST_SHARE_PERCENT: '101' },
    });
    expect(code).toBe(EXIT.usage);
    expect(err).toContain('HARVEST_PAUSE_MS="10001": ');
    expect(err).toContain('HARVEST_SHARE_PERCENT');
  });
});
