import { examplesOf, testExamples } from '../../../../test/run-examples.ts';
import * as door from './index.ts';

const FILES = ['./server.ts', './switches.ts', '../sample/embedded-catalogue.ts'];
const examples = FILES.flatMap((file) => examplesOf(new URL(file, import.meta.url)));

testExamples(door, examples, () => ({}));
