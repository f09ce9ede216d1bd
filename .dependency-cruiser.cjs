/** Which way imports may run. Each rule says in one sentence why it exists. */
const socketDoors =
  '^src/(catalogue/(narou/transport|narou-server/[^/]+|main)|registration/(net/(address-guard|dial|resolve)|rdap/http-get|main)|sample/registries/[^/]+|(http|process|store|limits)/[^/]+|client/[^/]+|cli/.*|cli)\\.ts$';

/** The folders of the look-up. */
const LOOK_UP = 'whois|rdap|record|net|look-up';

const localCatalogue = '^src/catalogue/(index/engine|local|harvest)/';

/** Of our own files, those of a folder import only each other and the folders below. */
const layer = (folder, comment, ...below) => ({
  name: `${folder}-imports-what-lies-under-it`,
  severity: 'error',
  comment,
  from: { path: `^src/${folder}/`, pathNot: '\\.test\\.ts$' },
  to: {
    path: '^src/',
    pathNot: `^src/((${[folder, ...below].join('|')})/|(?:errors|error-texts|fault-texts)\\.ts$)`,
  },
});

const apart = (service, other) => ({
  name: `${service}-never-meets-${other}`,
  severity: 'error',
  comment: 'Either service can be removed without the other.',
  from: { path: `^src/${service}/` },
  to: { path: `^src/${other}/` },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle means two files are one; merge them or take the shared part out.',
      from: {},
      to: { circular: true },
    },
    layer('process', 'Settings, log, metrics and clock are below everything.'),
    layer('store', 'The store does not know what is stored or counted in it.', 'process'),
    layer('limits', 'Limits count in memory or in the store, for any caller.', 'store', 'process'),
    layer('cache', 'The cache knows no wire format and no upstream.', 'limits', 'store', 'process'),
    layer('upstream', 'The gate is the same for every upstream.', 'limits', 'store', 'process'),
    layer('http', 'HTTP serves both services and knows neither.', 'cache', 'limits', 'process'),
    {
      name: 'the-look-up-stands-alone',
      severity: 'error',
      comment: 'The parsers and the look-up are useful without the service: they need tldts alone.',
      from: { path: `^src/registration/(${LOOK_UP})/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^src/(?!registration/(${LOOK_UP})/)|^node_modules/(?!tldts/)` },
    },
    {
      name: 'the-look-up-has-doors',
      severity: 'error',
      comment: 'The rest imports the library, the parts of a service, and the data that pages need.',
      from: { path: '^src/', pathNot: `^src/registration/(${LOOK_UP})/|\\.test\\.ts$` },
      to: {
        path: `^src/registration/(${LOOK_UP})/`,
        pathNot: '^src/registration/(look-up/(index|service)|record/(index|name-faults))\\.ts$',
      },
    },
    {
      name: 'net-and-record-stand-below-the-look-up',
      severity: 'error',
      comment: 'The address guard and what a registry states need no protocol.',
      from: { path: '^src/registration/(net|record)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/registration/(look-up|rdap|whois)/' },
    },
    {
      name: 'protocols-stand-below-the-look-up',
      severity: 'error',
      comment: 'WHOIS and RDAP read answers, whoever asked for them.',
      from: { path: '^src/registration/(whois|rdap)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/registration/look-up/' },
    },
    {
      name: 'only-main-wires',
      severity: 'error',
      comment: 'What both services stand on is put together by main; settings and types of it may be read.',
      from: {
        path: '^src/',
        pathNot:
          '^src/(service/|cli/|(catalogue|registration)/(main|config|open-source)\\.ts$)|\\.test\\.ts$',
      },
      to: { path: '^src/service/' },
    },
    {
      name: 'services-do-not-know-the-sample',
      severity: 'error',
      comment: 'What is invented stays out of the way of whoever reads the services; main puts it in place.',
      from: {
        path: '^src/(catalogue|registration)/',
        pathNot: '\\.test\\.ts$|/main\\.ts$|/open-source\\.ts$|/narou-server/index\\.ts$',
      },
      to: { path: '^src/sample/' },
    },
    apart('catalogue', 'registration'),
    apart('registration', 'catalogue'),
    {
      name: 'vocabulary-and-parsers-do-no-io',
      severity: 'error',
      comment: 'Rules about novels, domains and registry texts must be testable without a socket or a clock.',
      from: { path: '^src/(catalogue/novels|registration/whois/parsers)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(node:)?(net|tls|http|https|http2|dns|fs|child_process|cluster|worker_threads)(/|$)|^node_modules/(undici|fastify|ioredis)/',
      },
    },
    {
      name: 'sockets-behind-named-doors',
      severity: 'error',
      comment:
        'Outgoing connections are opened in few named files, so that every guard and limit sits there.',
      from: { path: '^src/', pathNot: `(${socketDoors})|\\.test\\.ts$` },
      to: {
        path: '^(node:)?(net|tls|http|https|http2|dns)(/|$)|^node_modules/undici/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sources-do-not-know-endpoints',
      severity: 'error',
      comment: 'Imports run app -> endpoints -> sources; a source that knows an endpoint cannot be swapped.',
      from: {
        path: '^src/(catalogue/(narou|index|local|novels|narou-server)|registration/(whois|rdap))/',
        pathNot: '\\.test\\.ts$',
      },
      to: { path: '^src/(catalogue|registration)/(endpoints/|app\\.ts|main\\.ts)' },
    },
    {
      name: 'narou-server-is-independent',
      severity: 'error',
      comment:
        'The upstream server must not share code with the live source, or a mistake would hide in both.',
      from: { path: '^src/catalogue/narou-server/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/catalogue/narou/' },
    },
    {
      name: 'narou-stands-below-the-local-catalogue',
      severity: 'error',
      comment: 'The sample and the live upstream need no index and no folder.',
      from: {
        path: '^src/(catalogue/(novels|source|narou|narou-server|index(?!/engine))|sample/novels)/',
        pathNot: '\\.test\\.ts$',
      },
      to: {
        path: '^src/',
        pathNot:
          '^src/(catalogue/(novels|source|narou|narou-server|index(?!/engine))/|sample/novels/|(process|store|limits|cache|upstream|http)/|(errors|error-texts|fault-texts|csv)\\.ts$)',
      },
    },
    {
      name: 'local-catalogue-stands-below-the-service',
      severity: 'error',
      comment: 'A catalogue is filled and read without the service that serves it.',
      from: { path: localCatalogue, pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(catalogue/(novels|source|narou|index|local|harvest)/|(process|store|limits|cache|upstream|http)/|(errors|error-texts|fault-texts|csv)\\.ts$)',
      },
    },
    {
      name: 'client-has-doors',
      severity: 'error',
      comment: 'index.ts is published; parts.ts is for the page and the command.',
      from: { path: '^src/', pathNot: '^src/client/' },
      to: { path: '^src/client/', pathNot: '^src/client/(index|parts)\\.ts$' },
    },
    {
      name: 'client-knows-no-service',
      severity: 'error',
      comment:
        'Its types derive from the vocabulary, the look-up and the table of errors, not from endpoints.',
      from: { path: '^src/client/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/',
        pathNot: '^src/(client/|catalogue/novels/|registration/look-up/|errors\\.ts$)',
      },
    },
    {
      name: 'client-imports-types-alone',
      severity: 'error',
      comment: 'It is published without dependencies: types are written out, and two pure files are bundled.',
      from: { path: '^src/client/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: '^src/(client/|catalogue/novels/(ncode|lagging-count)\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'explorer-is-a-client',
      severity: 'error',
      comment:
        'The page runs in browsers and meets the services through the client; of their code it takes the pure vocabulary and the writer of CSV alone.',
      from: { path: '^src/explorer/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/(?!explorer/|client/|words/|catalogue/novels/|registration/record/|(?:csv|error-texts|fault-texts)\\.ts$)',
      },
    },
    {
      name: 'live-upstream-has-doors',
      severity: 'error',
      comment: 'Its interfaces and its protocol are its own; the settings are read without it.',
      from: { path: '^src/', pathNot: '^src/catalogue/narou/|\\.test\\.ts$' },
      to: { path: '^src/catalogue/narou/', pathNot: '/(index|upstream-settings)\\.ts$' },
    },
    {
      name: 'local-catalogue-has-doors',
      severity: 'error',
      comment: 'Few names of the local catalogue are used outside it; the rest can change freely.',
      from: { path: '^src/', pathNot: `${localCatalogue}|\\.test\\.ts$` },
      to: { path: localCatalogue, pathNot: '/catalogue/(local|harvest)/index\\.ts$' },
    },
    {
      name: 'local-catalogue-is-loaded-on-use',
      severity: 'error',
      comment: 'It is off by default: a service without one loads nothing of it.',
      from: { path: '^src/', pathNot: `${localCatalogue}|^src/cli/run-harvest\\.ts$|\\.test\\.ts$` },
      to: {
        path: localCatalogue,
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'run-harvest-is-loaded-on-use',
      severity: 'error',
      comment: 'It loads the harvest.',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/cli/run-harvest\\.ts$', dynamic: false },
    },
    {
      name: 'words-are-for-faces',
      severity: 'error',
      comment: 'What is said to people is said by the page and the command; the services have codes.',
      from: { path: '^src/(?!words/|explorer/|cli/)' },
      to: { path: '^src/words/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'A file that nothing imports is dead.',
      from: {
        orphan: true,
        path: '^src/',
        pathNot: '\\.(test|d)\\.ts$|^src/(cli|client/index|registration/index|explorer/.*)',
      },
      to: {},
    },
    {
      name: 'no-test-from-source',
      severity: 'error',
      comment: 'Shipped code never depends on tests.',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '\\.test\\.ts$|^test/' },
    },
    {
      name: 'declared-dependencies-only',
      severity: 'error',
      comment: 'What runs must be declared, or a clean install breaks.',
      from: { path: '^src/', pathNot: '\\.test\\.ts$|^src/explorer/' },
      to: {
        // Bundled by scripts/build.mjs; ioredis is an optional peer.
        pathNot: '^node_modules/(?:@modelcontextprotocol|fastify|yaml|lru-cache|prom-client|ioredis)/',
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'undetermined'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
