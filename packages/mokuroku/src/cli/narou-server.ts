import { parseSwitches, SWITCHES, startNarouServer } from '../../../../test/upstream/index.ts';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { systemClock, closeOnSignals } from '@mokuroku/kit/process';
import { cannotListen } from './cannot-listen.ts';
import { UsageError, defineCommand, flag, option, readWholeNumber } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { nearestWord } from './nearest.ts';

const MAX_SEED = 999_999_999;

function readSwitches(text: string | undefined) {
  const { changes, faults } = parseSwitches(text === undefined ? [] : text.split(','));
  const [first] = faults;
  if (first === undefined) return changes;
  const unknown = (text ?? '').split(',').map((each) => each.split('=', 1)[0] ?? '');
  const [meant] = unknown
    .filter((name) => !(name in SWITCHES))
    .flatMap((name) => nearestWord(name, Object.keys(SWITCHES)) ?? []);
  const message = `--switch: ${faults.join(' ')}`;
  throw new UsageError(message, message, meant);
}

export const narouServerCommand = defineCommand({
  args: {
    port: option(
      'port',
      'Port to listen on; 0 means any free one (default: 3002).',
      '待ち受けるポート。0 は空いているもの（既定: 3002）。',
    ),
    host: option(
      'address',
      'Address to listen on (default: 127.0.0.1).',
      '待ち受けるアドレス（既定: 127.0.0.1）。',
    ),
    seed: option(
      'number',
      'A whole number that selects the invented catalogue.',
      '架空のカタログを選ぶ整数。',
    ),
    switch: option(
      'name=value',
      'Undocumented behaviour and faults: name=value,... (docs/narou-server.md).',
      '未文書化の動作と障害: 名前=値,...（docs/narou-server.md）。',
    ),
    quiet: flag('Do not print the requests.', 'リクエストを表示しません。'),
  },
  examples: [
    'mokuroku narou-server',
    'mokuroku narou-server --port 0 --switch neverRanked=error,latencyMs=300',
  ],
  run: async (args, terminal) => {
    const seed = args.seed === undefined ? undefined : readWholeNumber('--seed', args.seed, 0, MAX_SEED);
    const clock = systemClock;
    const server = await startNarouServer({
      clock,
      catalogue: createEmbeddedCatalogue({
        clock,
        ...(seed !== undefined && { seed }),
      }),
      host: args.host ?? '127.0.0.1',
      port: readWholeNumber('--port', args.port ?? '3002', 0, 65_535),
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
