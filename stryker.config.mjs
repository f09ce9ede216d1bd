// `npm run mutation` plants faults in ten areas and runs the tests of the same area against each. A second run only tries
// what has changed since. AREA=cache takes one area alone, SAMPLE=10 about every tenth fault: a whole run takes a night.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** An area -> its folders, and the folders and files of the tests that must notice a fault. */
const AREAS = {
  cache: { folders: ['packages/kit/src/cache'], tests: ['packages/kit/src/cache'] },
  endpoints: {
    folders: ['packages/mokuroku/src/catalogue/endpoints', 'packages/mokuroku/src/registration/endpoints'],
    tests: [
      'packages/mokuroku/src/catalogue',
      'packages/mokuroku/src/registration',
      'packages/mokuroku/test',
      'test/catalogue',
    ],
  },
  engine: {
    folders: ['packages/local-catalogue/src/engine'],
    tests: [
      'packages/local-catalogue/src/engine',
      'packages/local-catalogue/src/local',
      'test/catalogue/changes.test.ts',
    ],
  },
  http: {
    folders: ['packages/kit/src/http'],
    tests: [
      'packages/kit/src/http',
      'test/http',
      'test/mcp',
      'test/service',
      ...['catalogue', 'registration'].flatMap((service) => [
        `packages/mokuroku/src/${service}/app.test.ts`,
        `packages/mokuroku/src/${service}/openapi.test.ts`,
      ]),
    ],
  },
  limits: {
    folders: ['packages/kit/src/limits'],
    tests: ['packages/kit/src/limits', 'packages/kit/src/http', 'test/http'],
  },
  local: {
    folders: ['packages/local-catalogue/src/local'],
    tests: [
      'packages/local-catalogue/src/local',
      'packages/mokuroku/src/catalogue/endpoints',
      'test/catalogue',
    ],
  },
  'look-up': {
    folders: ['packages/whois/src/look-up'],
    tests: ['packages/whois/src/look-up'],
  },
  parsers: {
    folders: ['packages/whois/src/whois/parsers'],
    tests: ['packages/whois/src/whois', 'packages/whois/test', 'test/registration'],
  },
  store: {
    folders: ['packages/kit/src/store'],
    tests: ['packages/kit/src/store', 'packages/kit/src/limits', 'packages/narou/src/upstream'],
  },
  upstream: { folders: ['packages/narou/src/upstream'], tests: ['packages/narou/src/upstream'] },
};

/** Lines of a window of the sample. A fault that spans more lines is in no sample. */
const WINDOW_LINES = 20;

const area = process.env['AREA'];
if (area !== undefined && !Object.hasOwn(AREAS, area)) {
  throw new Error(`AREA=${area}: one of ${Object.keys(AREAS).join(', ')}`);
}
const areas = area === undefined ? Object.values(AREAS) : [AREAS[area]];
const sample = Number(process.env['SAMPLE'] ?? 1);
if (!Number.isInteger(sample) || sample < 1) throw new Error(`SAMPLE=${sample}: a whole number from 1`);
const reports = `reports/mutation/${area ?? 'all'}${sample > 1 ? `-${sample}` : ''}`;
const testPlaces = new Set(areas.flatMap(({ tests }) => tests));
const missing = Object.values(AREAS).flatMap(({ tests }) => tests.filter((place) => !existsSync(place)));
if (missing.length > 0) throw new Error(`no such tests: ${missing.join(', ')}`);
// Read by vitest.mutation.config.ts.
process.env['MUTATION_TESTS'] = JSON.stringify(
  [...testPlaces].map((place) => (place.endsWith('.ts') ? place : `${place}/**/*.test.ts`)),
);

function sourcesIn(folder) {
  const names = readdirSync(folder, { recursive: true });
  return names.filter((name) => /(?<!\.test)\.ts$/.test(name)).map((name) => `${folder}/${name}`);
}

/** The whole file, or the windows of its lines that are in the sample. */
function placesIn(file) {
  if (sample === 1) return [file];
  const period = WINDOW_LINES * sample;
  const lines = readFileSync(file, 'utf8').split('\n').length;
  const windows = [];
  // Each file begins elsewhere in the period, so that the heads of files are not tried more often.
  for (let from = 1 - (hashOf(file) % period); from <= lines; from += period) {
    if (from + WINDOW_LINES > 1) windows.push(`${file}:${Math.max(1, from)}-${from + WINDOW_LINES - 1}`);
  }
  return windows;
}

const hashOf = (text) => [...text].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) % 1_000_003, 7);

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  mutate: areas
    .flatMap(({ folders }) => folders)
    .flatMap(sourcesIn)
    .flatMap(placesIn),
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
