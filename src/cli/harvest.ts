import { UsageError, defineCommand } from './command.ts';

export const harvestCommand = defineCommand({
  args: {
    dir: {
      type: 'string',
      description: 'Folder of the local catalogue; a harvest that was broken off goes on there.',
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
      description: 'Stay, and keep the folder as new as the upstream, rankings included.',
    },
    keep: {
      type: 'string',
      description: 'Generations of an index that stay on disk: 2, or 1 for the one in force alone.',
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
    if (!['1', '2', undefined].includes(args.keep)) {
      throw new UsageError(`--keep ${args.keep ?? ''}: it is 1 or 2.`);
    }
    // What harvests is loaded only now: help and completion of the command come at once.
    const { runHarvest } = await import('./run-harvest.ts');
    return runHarvest({ ...args, dir }, terminal);
  },
});
