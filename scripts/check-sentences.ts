/**
 * Checks the table of known sentences: `npm run check:sentences [-- FOLDER]` with a folder of real answers. It leaves each
 * registry out in turn, and writes what the table reads without it to packages/whois/fixtures/sentences/left-out.txt.
 * `npm run check:sentences -- --mask 'No match for "a.example".' a.example` prints a sentence as a row has it.
 */
import { writeFileSync } from 'node:fs';
import { knownSentences } from '../packages/whois/src/whois/parsers/sentence-table.ts';
import { LEFT_OUT, leftOutReport } from './left-out.ts';
import {
  faultsOfRow,
  maskedForm,
  misreadAnswers,
  registeredFixtures,
  registeredInFolder,
  misreadLines,
  rowsWithoutFixture,
} from './sentence-checks.ts';

const [first, sentence = '', name = ''] = process.argv.slice(2);
if (first === '--mask') {
  console.log(maskedForm(sentence, name));
} else {
  const answers = [...registeredFixtures(), ...(first === undefined ? [] : registeredInFolder(first))];
  const faults = [
    ...knownSentences().flatMap((row) => faultsOfRow(row).map((fault) => `${row.sentence}: ${fault}`)),
    ...rowsWithoutFixture().map((row) => `no fixture in packages/whois/fixtures/sentences/known.txt: ${row}`),
    ...misreadAnswers().map((answer) => `read as another state, ${answer}`),
    ...misreadLines(answers).map((line) => `stands in a registered answer: ${line}`),
  ];
  const report = leftOutReport();
  writeFileSync(LEFT_OUT, report);
  console.log(report);
  console.log(
    [`${knownSentences().length} rows, ${answers.length} registered answers`, ...faults].join('\n'),
  );
  if (faults.length > 0) process.exitCode = 1;
}
