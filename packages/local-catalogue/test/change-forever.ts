// Builds an index in a folder, or opens the existing one, and changes it until killed; prints the number of each
// published state. The novels follow from it, so the test knows what to expect.
import { buildIndex, changeIndex, readIndex } from '../src/engine/build-index.ts';
import { newestGeneration } from '../src/engine/index-generations.ts';
import { changesOf, FIRST_NOVELS, stateOf } from './changing-novels.ts';

const [, , dir = ''] = process.argv;
const options = { spacing: 4, rangePositions: 3000 };

if (newestGeneration(dir) === null) await buildIndex(dir, FIRST_NOVELS, options);
for (;;) {
  const number = stateOf(readIndex(dir));
  process.stdout.write(`${number}\n`);
  await changeIndex(dir, changesOf(number + 1), options);
}
