/**
 * Checks the table of known sentences: `npm run check:sentences [-- FOLDER]` with a folder of real answers. It leaves each
 * registry out in turn, and writes what the table reads without it to packages/whois/fixtures/sentences/left-out.txt.
 * `npm run check:sentences -- --mask 'No match for "a.example".' a.example` prints a sentence as a row has it.
 */
import { writeFileSync } from 'node:fs';
import { LEFT_OUT, leftOutReport } from './left-out.ts';
import {
  faultsOfRow,
  maskedForms,
  misreadAnswers,
  registeredFixtures,
  registeredInFolder,
  rows,
  misreadLines,
  rowsWithoutFixture,
} from './sentence-checks.ts';

const [first, sentence = '', name = ''] = process.argv.slice(2);
if (first === '--mask') {
  console.log(maskedForms(sentence, name)[0]);
} else {
  const answers = [...registeredFixtures(), ...(first === undefined ? [] : registeredInFolder(first))];
  const faults = [
    ...rows().flatMap((row) => faultsOfRow(row).map((fault) => `${row.sentence}: ${fault}`)),
    ...rowsWithoutFixture().map((row) => `no fixture in packages/whois/fixtures/sentences/known.txt: ${row}`),
    ...misreadAnswers().map((answer) => `read as another state, ${answer}`),
    ...misreadLines(answers).map((line) => `stands in a registered answer: ${line}`),
  ];
  const report = leftOutReport();
  writeFileSync(LEFT_OUT, report);
  console.log(report);
  console.log([`${rows().length} rows, ${answers.length} registered answers`, ...faults].join('\n'));
  if (faults.length > 0) process.exitCode = 1;
}
