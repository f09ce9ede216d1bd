import { UsageError, defineCommand, flag, option, readWholeNumber } from './command.ts';

export const harvestCommand = defineCommand({
  args: {
    dir: option(
      'folder',
      'Folder of the local catalogue; an interrupted harvest resumes there.',
      'ローカルカタログのフォルダー。中断した取得はそこから再開します。',
    ),
    adult: flag(
      'Adult novels too (metadata only; for readers of 18 and over).',
      '成人向け作品も取得します（メタデータのみ、18歳以上の方向け）。',
    ),
    rankings: flag(
      'All rankings since May 2013 too, of which histories are made (some 6,000 requests).',
      '2013年5月からのすべてのランキングも取得します。順位の履歴に使います（約 6,000 リクエスト）。',
    ),
    follow: flag(
      'Keep running and keep the folder up to date, rankings included.',
      '実行を続け、ランキングも含めてフォルダーを最新に保ちます。',
    ),
    keep: option(
      '1|2',
      'Generations of an index on disk: 2, or 1 for the current one only.',
      'ディスクに残す索引の世代数。2、または現在の世代だけなら 1。',
    ),
  },
  examples: [
    'mokuroku harvest --dir /var/lib/mokuroku/catalogue',
    'mokuroku harvest --dir catalogue --follow',
    'NAROU_CONTACT=me@example.org HARVEST_SHARE_PERCENT=25 mokuroku harvest --dir catalogue',
  ],
  run: async (args, terminal) => {
    const { dir } = args;
    if (dir === undefined)
      throw new UsageError(
        'harvest needs --dir: the folder of the local catalogue.',
        'harvest には --dir（ローカルカタログのフォルダー）が必要です。',
      );
    const keptGenerations = readWholeNumber('--keep', args.keep ?? '2', 1, 2) as 1 | 2;
    // Loaded on use, so that the help starts quickly.
    const { runHarvest } = await import('./run-harvest.ts');
    return runHarvest({ ...args, dir, keptGenerations }, terminal);
  },
});
