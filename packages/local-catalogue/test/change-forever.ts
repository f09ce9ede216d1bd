// Builds an index in a folder, or opens the existing one, and changes it until killed; prints the number of each
// published generation. A generation's content follows from its number, so the test knows what to expect.
import { buildIndex, changeIndex } from '../src/engine/build-index.ts';
import { newestGeneration } from '../src/engine/index-generations.ts';
import { changesOf, FIRST_NOVELS } from './changing-novels.ts';

const [, , dir = ''] = process.argv;
const options = { spacing: 4, rangePositions: 3000 };

if (newestGeneration(dir) === null) await buildIndex(dir, FIRST_NOVELS, options);
for (;;) {
  const number = newestGeneration(dir)?.number ?? 0;
  process.stdout.write(`${number}\n`);
  await changeIndex(dir, changesOf(number + 1), options);
}
