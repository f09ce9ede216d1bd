import type { CatalogueNovel } from '../src/scan/catalogue-novel.ts';
import { OF_FIELDS } from '../src/novels/of-fields.ts';

/** Numbers are 0 unless tests are about them. */
const ZEROS = OF_FIELDS.filter(
  ({ type, servedBy }) => (type === 'integer' || type === 'flag') && servedBy !== 'novel18api',
).map(({ field }) => [field, 0]);

const PLAIN: CatalogueNovel = {
  ...(Object.fromEntries(ZEROS) as Partial<CatalogueNovel>),
  title: '灯台守の手紙',
  ncode: 'N0001TA',
  userid: 1,
  writer: '白瀬しおり',
  story: '霧の夜ごとに鐘を鳴らす。',
  biggenre: 2,
  genre: 201,
  keyword: '冒険 魔法',
  general_firstup: '2025-01-01 18:00:00',
  general_lastup: '2026-11-01 18:00:00',
  noveltype: 1,
  end: 1,
  general_all_no: 10,
  length: 50_000,
  time: 100,
  global_point: 100,
  daily_point: 2,
  weekly_point: 10,
  monthly_point: 20,
  quarter_point: 40,
  yearly_point: 80,
  fav_novel_cnt: 20,
  impression_cnt: 1,
  all_point: 60,
  all_hyoka_cnt: 8,
  kaiwaritu: 40,
  novelupdated_at: '2026-11-01 18:00:00',
  updated_at: '2026-11-02 04:00:00',
  weekly_unique: 30,
  fetched_at: 0,
};

/** An ordinary record with the given changes. */
export function plainNovel(changes: Partial<CatalogueNovel> = {}): CatalogueNovel {
  return { ...PLAIN, ...changes };
}
