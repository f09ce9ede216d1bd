import { UsageError, defineCommand } from './command.ts';
import { readWholeNumber } from './whole-number.ts';

export const harvestCommand = defineCommand({
  args: {
    dir: {
      type: 'string',
      description: 'Folder of the local catalogue; an interrupted harvest resumes there.',
      valueHint: 'folder',
    },
    adult: {
      type: 'boolean',
      description: 'Adult novels too (metadata only; for readers of 18 and over).',
    },
    rankings: {
      type: 'boolean',
      description: 'All rankings since May 2013 too, of which histories are made (some 6,000 requests).',
    },
    follow: {
      type: 'boolean',
      description: 'Keep running and keep the folder up to date, rankings included.',
    },
    keep: {
      type: 'string',
      description: 'Generations of an index on disk: 2, or 1 for the current one only.',
      valueHint: '1|2',
    },
  },
  examples: [
    'mokuroku harvest --dir /var/lib/mokuroku/catalogue',
    'mokuroku harvest --dir catalogue --follow',
    'NAROU_CONTACT=me@example.org HARVEST_SHARE_PERCENT=25 mokuroku harvest --dir catalogue',
  ],
  run: async (args, terminal) => {
    const { dir } = args;
    if (dir === undefined) throw new UsageError('harvest needs --dir: the folder of the local catalogue.');
    const keptGenerations = readWholeNumber('--keep', args.keep ?? '2', 1, 2) as 1 | 2;
    // Loaded on use, so that help and completion start quickly.
    const { runHarvest } = await import('./run-harvest.ts');
    return runHarvest({ ...args, dir, keptGenerations }, terminal);
  },
});
