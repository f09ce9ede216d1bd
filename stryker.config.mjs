// `npm run mutation` plants faults in the rooms whose bounds and constants matter most and runs the tests of the same
// room against each. ROOM=cache takes one room alone. A second run only tries what has changed since.

/** A room -> the tests that must hold it. */
const ROOMS = {
  cache: ['src/cache/**/*.test.ts'],
  limits: ['src/limits/**/*.test.ts'],
  'registration/look-up': ['src/registration/look-up/**/*.test.ts'],
  store: ['src/store/**/*.test.ts', 'src/limits/**/*.test.ts', 'src/upstream/**/*.test.ts'],
  upstream: ['src/upstream/**/*.test.ts'],
};

const room = process.env['ROOM'];
if (room !== undefined && !Object.hasOwn(ROOMS, room)) {
  throw new Error(`ROOM=${room}: one of ${Object.keys(ROOMS).join(', ')}`);
}
const rooms = room === undefined ? Object.keys(ROOMS) : [room];
const reports = `reports/mutation/${(room ?? 'all').replace('/', '-')}`;
// Read by vitest.mutation.config.ts.
process.env['MUTATION_TESTS'] = JSON.stringify([...new Set(rooms.flatMap((each) => ROOMS[each]))]);

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  mutate: rooms.flatMap((each) => [`src/${each}/**/*.ts`]).concat('!src/**/*.test.ts'),
  mutator: {
    // Wording of messages is not what these tests are for.
    excludedMutations: ['StringLiteral'],
  },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // A mutant that hangs is killed by its time; a machine with other work must not pass for one.
  timeoutMS: 5_000,
  timeoutFactor: 4,
  incremental: true,
  incrementalFile: `${reports}.incremental.json`,
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { allowEmojis: false, reportTests: false, logTests: false, reportScoreTable: true },
  htmlReporter: { fileName: `${reports}.html` },
  jsonReporter: { fileName: `${reports}.json` },
  thresholds: { high: 90, low: 85, break: 85 },
  tempDirName: '.cache/stryker',
  ignorePatterns: ['dist', 'reports', 'docs', 'bench', 'deploy'],
};
