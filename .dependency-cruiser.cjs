/**
 * Which way imports may run. Between packages, each package.json says it: `exports` are its doors, its dependencies
 * what it may import. What package.json cannot say is below, each rule with the reason for it.
 */
const { readFileSync, readdirSync } = require('node:fs');

const NOT_TESTS = '\\.test(-d)?\\.ts$|^packages/[^/]+/test/';

const manifestOf = (folder) => JSON.parse(readFileSync(`packages/${folder}/package.json`, 'utf8'));
const folders = readdirSync('packages');
const folderNamed = Object.fromEntries(folders.map((folder) => [manifestOf(folder).name, folder]));

/** Node finds every package of the repository, declared or not. */
const declared = (folder) => {
  const { dependencies = {}, devDependencies = {} } = manifestOf(folder);
  const own = Object.keys({ ...dependencies, ...devDependencies }).map((name) => folderNamed[name]);
  return {
    name: `${folder}-imports-what-it-declares`,
    severity: 'error',
    comment: 'What a package needs is in its package.json.',
    from: { path: `^packages/${folder}/src/`, pathNot: NOT_TESTS },
    to: { path: '^packages/', pathNot: `^packages/(${[folder, ...own].filter(Boolean).join('|')})/` },
  };
};

/** Of the kit, a folder imports only itself, and the folders and files below it. */
const layer = (folder, below, comment) => ({
  name: `${folder}-imports-what-lies-under-it`,
  severity: 'error',
  comment,
  from: { path: `^packages/kit/src/${folder}/`, pathNot: NOT_TESTS },
  to: {
    path: '^packages/kit/src/',
    pathNot: `^packages/kit/src/(${folder}|${below})(/|\\.ts$)`,
  },
});

const apart = (service, other) => ({
  name: `${service}-never-meets-${other}`,
  severity: 'error',
  comment: 'Either service can be removed without the other.',
  from: { path: `^packages/mokuroku/src/${service}/`, pathNot: NOT_TESTS },
  to: { path: `^packages/mokuroku/src/${other}/` },
});

const socketDoors = [
  'kit/src/(http|process|store|limits|mcp)/[^/]+',
  'narou/src/live/transport',
  'whois/src/(net/(dial|resolve|address-guard)|rdap/http-get)',
  'client/src/[^/]+',
  'mokuroku/src/((catalogue|registration)/main|registration/sample/[^/]+|cli/.*|cli)',
];

module.exports = {
  forbidden: [
    ...folders.map(declared),
    {
      name: 'packages-through-their-doors',
      severity: 'error',
      comment: 'Another package is imported by its name, so that its exports are all that others know of it.',
      from: { path: '^packages/([^/]+)/src/', pathNot: NOT_TESTS },
      to: { path: '^packages/', pathNot: '^packages/$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle means two files are one; merge them or take the shared part out.',
      from: {},
      to: { circular: true },
    },
    layer('process', 'deadline|requests', 'Settings, log, metrics and clock are below everything.'),
    layer('store', 'process|server-health', 'It does not know what is stored or counted in it.'),
    layer('limits', 'store|process|errors', 'Limits count in memory or in the store, for any caller.'),
    layer('cache', 'limits|store|process|deadline|errors', 'The cache knows no wire format and no upstream.'),
    layer(
      'http',
      'cache|limits|process|deadline|errors|fault-texts|requests',
      'HTTP serves both services and knows neither.',
    ),
    {
      name: 'protocols-stand-below-the-look-up',
      severity: 'error',
      comment:
        'WHOIS and RDAP read answers, whoever asked for them; connections and records know no protocol.',
      from: { path: '^packages/whois/src/(whois|rdap|net|record)/', pathNot: NOT_TESTS },
      to: { path: '^packages/whois/src/look-up/' },
    },
    {
      name: 'connections-and-records-know-no-protocol',
      severity: 'error',
      comment: 'The address guard and what a registry states serve both protocols.',
      from: { path: '^packages/whois/src/(net|record)/', pathNot: NOT_TESTS },
      to: { path: '^packages/whois/src/(rdap|whois)/' },
    },
    {
      name: 'client-imports-types-alone',
      severity: 'error',
      comment:
        'It is published without dependencies: types are written out, and a few small files of the vocabulary and the kit bundled.',
      from: { path: '^packages/client/src/', pathNot: NOT_TESTS },
      to: {
        pathNot: '^packages/((client|narou)/src/|kit/src/(deadline|process/json|requests)\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'local-catalogue-is-loaded-on-use',
      severity: 'error',
      comment: 'It is off by default: a service without one loads its settings alone.',
      from: {
        path: '^packages/mokuroku/src/',
        pathNot: `^packages/mokuroku/src/cli/run-harvest\\.ts$|${NOT_TESTS}`,
      },
      to: {
        path: '^packages/local-catalogue/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'run-harvest-is-loaded-on-use',
      severity: 'error',
      comment: 'It loads the harvest.',
      from: { path: '^packages/', pathNot: NOT_TESTS },
      to: { path: '^packages/mokuroku/src/cli/run-harvest\\.ts$', dynamic: false },
    },
    {
      name: 'only-main-wires',
      severity: 'error',
      comment: 'What both services stand on is put together by main; settings and types of it may be read.',
      from: {
        path: '^packages/mokuroku/src/',
        pathNot: `^packages/mokuroku/src/(cli/|(catalogue|registration)/(main|config|open-source)\\.ts$)|${NOT_TESTS}`,
      },
      to: { path: '^packages/kit/src/service/' },
    },
    apart('catalogue', 'registration'),
    apart('registration', 'catalogue'),
    {
      name: 'vocabulary-and-parsers-do-no-io',
      severity: 'error',
      comment: 'Rules about novels, domains and registry texts must be testable without a socket or a clock.',
      from: { path: '^packages/(narou/src/novels|whois/src/whois/parsers)/', pathNot: NOT_TESTS },
      to: {
        path: '^(node:)?(net|tls|http|https|http2|dns|fs|child_process|cluster|worker_threads)(/|$)|^node_modules/(undici|fastify|ioredis)/',
      },
    },
    {
      name: 'sockets-behind-named-doors',
      severity: 'error',
      comment:
        'Outgoing connections are opened in few named files, so that every guard and limit sits there.',
      from: { path: '^packages/', pathNot: `^packages/(${socketDoors.join('|')})\\.ts$|${NOT_TESTS}` },
      to: {
        path: '^(node:)?(net|tls|http|https|http2|dns)(/|$)|^node_modules/undici/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'stand-in-is-independent',
      severity: 'error',
      comment: 'The stand-in must not share code with the live source, or a mistake would hide in both.',
      from: { path: '^test/upstream/', pathNot: NOT_TESTS },
      to: { path: '^packages/narou/src/live/' },
    },
    {
      name: 'explorer-is-a-client',
      severity: 'error',
      comment: 'The page runs in browsers and meets the services through the client, not their code.',
      from: { path: '^packages/mokuroku/src/explorer/', pathNot: NOT_TESTS },
      to: { path: '^packages/mokuroku/src/(?!explorer/|words/)' },
    },
    {
      name: 'explorer-loads-what-browsers-can',
      severity: 'error',
      comment: 'Behind the other doors are modules of Node: the bundler would read, report and drop them.',
      from: { path: '^packages/mokuroku/src/(explorer|words)/|^packages/client/src/', pathNot: NOT_TESTS },
      to: {
        path: '^packages/',
        pathNot:
          '^packages/(mokuroku/src/(explorer|words)|client/src)/|^packages/mokuroku/src/registration/errors\\.ts$|^packages/((kit|narou)/src|whois/src/record)/index\\.ts$|^packages/kit/src/(deadline|process/json|requests)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'words-are-for-faces',
      severity: 'error',
      comment: 'What is said to people is said by the page and the command; the services have codes.',
      from: { path: '^packages/mokuroku/src/(?!words/|explorer/|cli/)', pathNot: NOT_TESTS },
      to: { path: '^packages/mokuroku/src/words/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'A file that nothing imports is dead.',
      from: {
        orphan: true,
        path: '^packages/',
        pathNot: `${NOT_TESTS}|\\.d\\.ts$|/dist/|^packages/(mokuroku/src/(cli|explorer/.*)|(client|whois)/src/index)|\\.cjs$`,
      },
      to: {},
    },
    {
      name: 'no-test-from-source',
      severity: 'error',
      comment: 'Shipped code never depends on tests.',
      from: { path: '^packages/', pathNot: NOT_TESTS },
      to: { path: '\\.test\\.ts$|^test/|^packages/[^/]+/test/' },
    },
    {
      name: 'declared-dependencies-only',
      severity: 'error',
      comment: 'What runs must be declared, or a clean install breaks.',
      from: { path: '^packages/', pathNot: `${NOT_TESTS}|^packages/mokuroku/src/explorer/` },
      to: {
        path: '^node_modules/',
        // An optional peer; bundled by scripts/build.mjs.
        pathNot: '^node_modules/(ioredis|prom-client)/',
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'undetermined'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/([^/]+/dist|mokuroku/(deploy|docs|examples))/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
