// `npm run mutation` plants faults in ten areas and runs the tests of the same area against each. ROOM=cache takes one
// area alone. A second run only tries what has changed since.

/** An area -> its folders below src/, and the folders and files of the tests that must notice a fault. */
const AREAS = {
  cache: { folders: ['cache'], tests: ['src/cache'] },
  endpoints: {
    folders: ['catalogue/endpoints', 'registration/endpoints'],
    tests: ['src/catalogue/endpoints', 'src/catalogue/forms', 'src/registration/endpoints'],
  },
  engine: { folders: ['catalogue/index/engine'], tests: ['src/catalogue/index'] },
  http: {
    folders: ['http'],
    tests: ['src/http', 'src/catalogue/app.test.ts', 'src/catalogue/openapi.test.ts'],
  },
  limits: { folders: ['limits'], tests: ['src/limits'] },
  local: { folders: ['catalogue/local'], tests: ['src/catalogue/local', 'src/catalogue/endpoints'] },
  'look-up': { folders: ['registration/look-up'], tests: ['src/registration/look-up'] },
  parsers: {
    folders: ['registration/whois/parsers'],
    tests: ['src/registration/whois', 'test/registration/known-sentences.test.ts'],
  },
  store: { folders: ['store'], tests: ['src/store', 'src/limits', 'src/upstream'] },
  upstream: { folders: ['upstream'], tests: ['src/upstream'] },
};

const room = process.env['ROOM'];
if (room !== undefined && !Object.hasOwn(AREAS, room)) {
  throw new Error(`ROOM=${room}: one of ${Object.keys(AREAS).join(', ')}`);
}
const areas = room === undefined ? Object.values(AREAS) : [AREAS[room]];
const reports = `reports/mutation/${room ?? 'all'}`;
const tests = new Set(areas.flatMap((area) => area.tests));
// Read by vitest.mutation.config.ts.
process.env['MUTATION_TESTS'] = JSON.stringify(
  [...tests].map((place) => (place.endsWith('.ts') ? place : `${place}/**/*.test.ts`)),
);

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  mutate: areas
    .flatMap(({ folders }) => folders)
    .map((folder) => `src/${folder}/**/*.ts`)
    .concat('!src/**/*.test.ts'),
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
