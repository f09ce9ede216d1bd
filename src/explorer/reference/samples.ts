import type { CatalogueClient, RegistrationClient } from '../../client/index.ts';
import type { ReferenceEndpoint, Request } from './openapi.ts';

// A request in the languages of the reference.

export const SAMPLE_LANGUAGES = ['curl', 'typescript', 'python', 'cli'] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];
export const SAMPLE_NAMES: Readonly<Record<SampleLanguage, string>> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  cli: 'CLI',
};

const filled = ({ path }: ReferenceEndpoint, values: Request['path']): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''));

export function urlOf(
  base: string,
  endpoint: ReferenceEndpoint,
  { path, query }: Omit<Request, 'mediaType'>,
): string {
  const search = new URLSearchParams(query).toString();
  return `${base}${filled(endpoint, path)}${search === '' ? '' : `?${search}`}`;
}

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string =>
  /^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function curlOf(base: string, endpoint: ReferenceEndpoint, { path, query }: Request): string {
  const address = quoted(base + filled(endpoint, path));
  const pairs = Object.entries(query).map(([name, value]) =>
    /^[\w.:,-]*$/.test(value) ? `-d ${name}=${value}` : `--data-urlencode ${quoted(`${name}=${value}`)}`,
  );
  return [`curl ${pairs.length > 0 ? '-G ' : ''}${address}`, ...pairs].join(' \\\n  ');
}

const objectOf = (entries: readonly (readonly [string, string])[]): string =>
  entries.length === 0 ? '{}' : `{ ${entries.map(([name, value]) => `${name}: ${value}`).join(', ')} }`;

const QUOTE = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The arguments of the typed client: numbers as numbers, lists as lists, `of` as a list of its codes. */
function argumentsOf({ parameters }: ReferenceEndpoint, query: Request['query']): string {
  const typed = Object.entries(query).map(([name, value]): [string, string] => {
    const type = parameters.find((each) => each.name === name)?.type ?? 'string';
    const isNumber = (text: string) => type.startsWith('integer') && /^\d+$/.test(text);
    const one = (text: string) => (isNumber(text) ? text : QUOTE(text));
    if (name === 'of') return [name, `[${value.split('-').map(QUOTE).join(', ')}]`];
    return [name, type.endsWith(',…') ? `[${value.split(',').map(one).join(', ')}]` : one(value)];
  });
  return objectOf(typed);
}

type ClientMethod = keyof CatalogueClient | keyof RegistrationClient;

/** The methods of `mokuroku-client`, with the path parameters that come first. */
const METHODS: Readonly<Record<string, readonly [method: ClientMethod, ...path: string[]]>> = {
  searchNovels: ['novels'],
  getNovel: ['novel', 'ncode'],
  getRankingHistory: ['rankingHistory', 'ncode'],
  getRanking: ['ranking', 'type'],
  getHydratedRanking: ['hydratedRanking', 'type'],
  suggest: ['suggest'],
  listChanges: ['changes'],
  searchUsers: ['users'],
  getUser: ['user', 'userid'],
  searchAdultNovels: ['adultNovels'],
  getAdultNovel: ['adultNovel', 'ncode'],
  listGenres: ['genres'],
  listNocgenres: ['nocgenres'],
  lookUpDomain: ['lookUp', 'domain'],
};

function typescriptOf(base: string, endpoint: ReferenceEndpoint, request: Request): string {
  const [method, ...names] = METHODS[endpoint.name] ?? [];
  // The client's methods return one JSON response.
  if (method === undefined || request.mediaType !== 'application/json' || 'from' in request.query) {
    const read = request.mediaType === 'application/json' ? 'json' : 'text';
    return `const response = await fetch(${QUOTE(urlOf(base, endpoint, request))});
console.log(response.status, await response.${read}());`;
  }
  const create = endpoint.name === 'lookUpDomain' ? 'createRegistrationClient' : 'createCatalogueClient';
  const query = argumentsOf(endpoint, request.query);
  const given = [...names.map((name) => QUOTE(request.path[name] ?? '')), ...(query === '{}' ? [] : [query])];
  return `import { ${create} } from 'mokuroku-client';

const client = ${create}({ baseUrl: ${QUOTE(base)} });
const { data } = await client.${method}(${given.join(', ')});
console.log(data);`;
}

function pythonOf(base: string, endpoint: ReferenceEndpoint, { path, query, mediaType }: Request): string {
  const pairs = Object.entries(query).map(([name, value]) => `    ${QUOTE(name)}: ${QUOTE(value)},`);
  const params = pairs.length === 0 ? '' : `, params={\n${pairs.join('\n')}\n}`;
  const read = mediaType === 'application/json' ? 'json()' : 'text';
  return `import requests

answer = requests.get(${QUOTE(base + filled(endpoint, path))}${params})
answer.raise_for_status()
print(answer.${read})`;
}

/** The command of an endpoint: its words come from the request's values, its options from the parameters. */
interface SampleCommand {
  words: (request: Request) => readonly string[];
  /** Parameters that become words instead of options. */
  spoken?: readonly string[];
}

const split = (text: string | undefined): string[] =>
  (text ?? '').split(/[\s,]+/).filter((word) => word !== '');

const COMMANDS: Readonly<Record<string, SampleCommand>> = {
  searchNovels: { words: ({ query }) => ['novels', ...split(query['word'])], spoken: ['word'] },
  searchAdultNovels: {
    words: ({ query }) => ['novels', ...split(query['word']), '--adult'],
    spoken: ['word'],
  },
  getNovel: { words: ({ path }) => ['novel', path['ncode'] ?? ''] },
  getAdultNovel: { words: ({ path }) => ['novel', path['ncode'] ?? '', '--adult'] },
  getRankingHistory: { words: ({ path }) => ['history', path['ncode'] ?? '', '--list'] },
  getHydratedRanking: { words: ({ path }) => ['ranking', path['type'] ?? ''] },
  getRanking: { words: ({ path }) => ['ranking', path['type'] ?? '', '--raw'] },
  searchUsers: { words: ({ query }) => ['users', ...split(query['word'])], spoken: ['word'] },
  getUser: { words: ({ path }) => ['user', path['userid'] ?? ''] },
  lookUpDomain: {
    words: ({ path, query }) => [
      'whois',
      path['domain'] ?? '',
      ...(query['follow'] === 'registrar' ? ['--registrar'] : []),
    ],
    spoken: ['follow'],
  },
  lookUpMany: { words: ({ query }) => ['whois', ...split(query['names'])], spoken: ['names'] },
};

const DEFAULT_BASES: readonly string[] = ['http://127.0.0.1:3000', 'http://127.0.0.1:3001'];

/** null: the command line does not support the request. */
function cliOf(base: string, endpoint: ReferenceEndpoint, request: Request): string | null {
  const command = COMMANDS[endpoint.name];
  const isBeyond = ['from', 'facets'].some((name) => name in request.query);
  if (!command || isBeyond || request.query['format'] === 'atom') return null;
  const options = Object.entries(request.query)
    .filter(([name]) => !command.spoken?.includes(name))
    .flatMap(([name, value]) => {
      if (name === 'format') return [`--${value}`];
      const isFlag = endpoint.parameters.find((each) => each.name === name)?.values.join() === '0,1';
      if (isFlag) return value === '1' ? [`--${name}`] : [];
      return [`--${name}`, value];
    });
  const elsewhere = DEFAULT_BASES.includes(base) ? [] : ['--base-url', base];
  return ['mokuroku', ...command.words(request), ...options, ...elsewhere].map(quoted).join(' ');
}

const WRITERS = { curl: curlOf, typescript: typescriptOf, python: pythonOf, cli: cliOf };

/** The request as source code; null if the language does not support it. */
export function sampleOf(
  language: SampleLanguage,
  base: string,
  endpoint: ReferenceEndpoint,
  request: Request,
): string | null {
  return WRITERS[language](base, endpoint, request);
}
