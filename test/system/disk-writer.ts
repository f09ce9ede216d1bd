import { systemClock, silentLogger } from '@mokuroku/kit/process';
import { createDataEntry } from '../../packages/kit/src/cache/cache-entry.ts';
import { openDiskTier } from '../../packages/kit/src/cache/disk-tier.ts';

// A worker that writes entries to disk until it is killed: `disk-writer.ts DIRECTORY MAX_BYTES`.

const [directory = '', maxBytes = ''] = process.argv.slice(2);
const tier = await openDiskTier({
  directory,
  scope: 'crash',
  maxBytes: Number(maxBytes),
  clock: systemClock,
  logger: silentLogger(),
});
const policy = {
  freshSeconds: 60,
  staleWhileRevalidateSeconds: 60,
  staleIfErrorSeconds: 3_600,
  absentSeconds: 60,
};

process.stdout.write('open\n');
for (let i = 0; ; i++) {
  const key = `k${i % 500}`;
  const data = key.repeat((i * 31) % 8_000);
  tier.put(key, createDataEntry({ data, meta: {} }, policy, Date.now()));
  if (i % 20 === 0) await new Promise((done) => setTimeout(done, 1));
}
