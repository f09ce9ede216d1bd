import { UsageError, defineCommand } from './command.ts';
import { KEEP_OPTION, readKeep } from './keep-option.ts';

function readAddress(text: string | undefined): URL {
  if (text === undefined) throw new UsageError('pull needs --from: the address of a harvested folder.');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError('--from {text}: use an address, such as https://host/path/.', { text });
}

export const pullCommand = defineCommand({
  args: {
    from: {
      type: 'string',
      description: 'Where a web server shows the folder of a harvest: http or https.',
      valueHint: 'address',
    },
    dir: {
      type: 'string',
      description: 'Folder of the local catalogue; an interrupted pull resumes there.',
      valueHint: 'folder',
    },
    follow: { type: 'boolean', description: 'Keep running and check for changes every minute.' },
    keep: KEEP_OPTION,
  },
  examples: [
    'mokuroku pull --from https://harvest.example.org/catalogue/ --dir /var/lib/mokuroku/catalogue',
    'mokuroku pull --from https://harvest.example.org/catalogue/ --dir catalogue --follow --keep 1',
  ],
  run: async ({ from, dir, follow, keep }, terminal) => {
    const address = readAddress(from);
    if (dir === undefined) throw new UsageError('pull needs --dir: the folder of the local catalogue.');
    const keptGenerations = readKeep(keep);
    const { runPull } = await import('./run-pull.ts');
    return runPull({ from: address, dir, follow: follow ?? false, keptGenerations }, terminal);
  },
});
