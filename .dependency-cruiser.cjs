/** Which way imports may run. Each rule says in one sentence why it exists. */
const socketDoors =
  '^src/(catalogue/(narou/transport|pull/web-folder|narou-server/[^/]+|main)|registration/(net/(dial|connect|resolve)|rdap/http-get|main)|sample/registries/[^/]+|(http|process|store|limits)/[^/]+|doctor/here/[^/]+|client/[^/]+|cli/.*|cli)\\.ts$';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle means two files are one; merge them or take the shared part out.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'process-imports-what-lies-under-it',
      severity: 'error',
      comment: 'Config, log, metrics and clock stand under everything, and so know nothing.',
      from: { path: '^src/process/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/((process)/|errors\\.ts$)' },
    },
    {
      name: 'store-imports-what-lies-under-it',
      severity: 'error',
      comment: 'The store is a place; what is kept there and what is counted there is told to it.',
      from: { path: '^src/store/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/((store|process)/|errors\\.ts$)' },
    },
    {
      name: 'limits-imports-what-lies-under-it',
      severity: 'error',
      comment: 'The limit is counted in memory or in the store, for whoever asks.',
      from: { path: '^src/limits/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/((limits|store|process)/|errors\\.ts$)' },
    },
    {
      name: 'cache-imports-what-lies-under-it',
      severity: 'error',
      comment: 'What keeps answers knows no wire format and no upstream.',
      from: { path: '^src/cache/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/((cache|limits|store|process)/|errors\\.ts$)' },
    },
    {
      name: 'upstream-imports-what-lies-under-it',
      severity: 'error',
      comment: 'The gate is the same for every upstream, so it knows none.',
      from: { path: '^src/upstream/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/((upstream|limits|store|process)/|errors\\.ts$)' },
    },
    {
      name: 'http-imports-what-lies-under-it',
      severity: 'error',
      comment: 'HTTP serves both services and so knows neither, nor where their answers come from.',
      from: { path: '^src/http/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/((http|cache|limits|process)/|errors\\.ts$)' },
    },
    {
      name: 'net-and-record-stand-below-http',
      severity: 'error',
      comment: 'The address guard and what a registry states need no web server.',
      from: { path: '^src/registration/(net|record)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(http|cache)/|^src/registration/(look-up|rdap|whois|endpoints)/' },
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
    {
      name: 'catalogue-never-meets-registration',
      severity: 'error',
      comment: 'The two services share nothing but the kit, so either can be taken away.',
      from: { path: '^src/catalogue/' },
      to: { path: '^src/registration/' },
    },
    {
      name: 'registration-never-meets-catalogue',
      severity: 'error',
      comment: 'The two services share nothing but the kit, so either can be taken away.',
      from: { path: '^src/registration/' },
      to: { path: '^src/catalogue/' },
    },
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
      name: 'explorer-is-a-client',
      severity: 'error',
      comment:
        'The page runs in browsers and meets the services through the client; of their code it takes the pure vocabulary and the writer of CSV alone.',
      from: { path: '^src/explorer/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!explorer/|client/|words/|catalogue/novels/|csv\\.ts$)' },
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
        pathNot: '^node_modules/(?:@modelcontextprotocol|fastify|yaml|ioredis)/',
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
