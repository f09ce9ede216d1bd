// `npm run narou-server -- [--port 3002] [--switch name=value,...]`: the stand-in over invented data, until it is stopped.
import { parseArgs } from 'node:util';
import { systemClock } from '@mokuroku/kit/process';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { startNarouServer } from './server.ts';
import { parseSwitches } from './switches.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '3002' }, switch: { type: 'string' } },
});
const { changes, faults } = parseSwitches(values.switch?.split(',') ?? []);
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exit(2);
}
const server = await startNarouServer({
  clock: systemClock,
  catalogue: createEmbeddedCatalogue({ clock: systemClock }),
  port: Number(values.port),
  switches: changes,
  logger: ({ method, path, query }, status) =>
    void process.stderr.write(`${status} ${method} ${path}?${query}\n`),
});
process.stdout.write(`narou-server  ${server.url}\n`);
