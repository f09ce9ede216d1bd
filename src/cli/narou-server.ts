import { parseSwitches, SWITCHES } from '../catalogue/narou-server/switches.ts';
import { startNarouServer } from '../catalogue/narou-server/server.ts';
import { createEmbeddedCatalogue } from '../sample/novels/embedded-catalogue.ts';
import { systemClock } from '../process/clock.ts';
import { closeOnSignals } from '../process/shutdown.ts';
import { cannotListen } from './cannot-listen.ts';
import { UsageError, defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { nearestWord } from './nearest.ts';

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  const values = { option: '--port', given: text, from: 0, to: 65_535 };
  throw new UsageError('{option} {given}: use a whole number from {from} to {to}.', values);
}

function readSwitches(text: string | undefined) {
  const { changes, faults } = parseSwitches(text === undefined ? [] : text.split(','));
  const [first] = faults;
  if (first === undefined) return changes;
  const unknown = (text ?? '').split(',').map((each) => each.split('=', 1)[0] ?? '');
  const [meant] = unknown
    .filter((name) => !(name in SWITCHES))
    .flatMap((name) => nearestWord(name, Object.keys(SWITCHES)) ?? []);
  throw new UsageError('{text}', { text: `--switch: ${faults.join(' ')}` }, meant);
}

export const narouServerCommand = defineCommand({
  args: {
    port: {
      type: 'string',
      description: 'Port to listen on; 0 means any free one (default: 3002).',
      valueHint: 'port',
    },
    host: {
      type: 'string',
      description: 'Address to listen on (default: 127.0.0.1).',
      valueHint: 'address',
    },
    seed: {
      type: 'string',
      description: 'A whole number that selects the invented catalogue.',
      valueHint: 'number',
    },
    switch: {
      type: 'string',
      description: 'Undocumented behaviour and faults: name=value,... (docs/narou-server.md).',
      valueHint: 'name=value',
    },
    quiet: { type: 'boolean', description: 'Do not print the requests.' },
  },
  examples: [
    'mokuroku narou-server',
    'mokuroku narou-server --port 0 --switch neverRanked=error,latencyMs=300',
  ],
  run: async (args, terminal) => {
    if (args.seed !== undefined && !/^\d{1,9}$/.test(args.seed)) {
      throw new UsageError('{option} {given}: use a whole number.', { option: '--seed', given: args.seed });
    }
    const clock = systemClock;
    const server = await startNarouServer({
      clock,
      catalogue: createEmbeddedCatalogue({
        clock,
        ...(args.seed !== undefined && { seed: Number(args.seed) }),
      }),
      host: args.host ?? '127.0.0.1',
      port: readPort(args.port ?? '3002'),
      switches: readSwitches(args.switch),
      ...(!args.quiet && {
        logger: ({ method, path, query }, status) =>
          terminal.err(`${status} ${method} ${path}${query === '' ? '' : `?${query}`}\n`),
      }),
    }).catch((error: unknown) => {
      throw cannotListen('narou-server', error, { host: '--host', port: '--port' });
    });
    terminal.outliveOutput();
    terminal.err('sample data: every novel, user and ranking is invented\n');
    terminal.out(`narou-server  ${server.url}\n`);
    closeOnSignals([() => server.close()], (error) => terminal.err(`${String(error)}\n`));
    return EXIT.done;
  },
});
