import { UsageError, defineCommand } from './command.ts';
import { KEEP_OPTION, readKeep } from './keep-option.ts';

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
    keep: KEEP_OPTION,
  },
  examples: [
    'mokuroku harvest --dir /var/lib/mokuroku/catalogue',
    'mokuroku harvest --dir catalogue --follow',
    'NAROU_CONTACT=me@example.org HARVEST_SHARE_PERCENT=25 mokuroku harvest --dir catalogue',
  ],
  run: async (args, terminal) => {
    const { dir } = args;
    if (dir === undefined) throw new UsageError('harvest needs --dir: the folder of the local catalogue.');
    const keptGenerations = readKeep(args.keep);
    // Loaded on use, so that help and completion start quickly.
    const { runHarvest } = await import('./run-harvest.ts');
    return runHarvest({ ...args, dir, keptGenerations }, terminal);
  },
});
