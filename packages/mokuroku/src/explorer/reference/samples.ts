import { DEFAULT_CATALOGUE_URL, DEFAULT_REGISTRATION_URL } from 'mokuroku-client/parts';
import { shellQuoted } from '../shell/curl.ts';
import type { ReferenceEndpoint, Request } from './openapi.ts';

// A request in the languages of the reference.

const filled = ({ path }: ReferenceEndpoint, values: Request['path']): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''));

export function urlOf(base: string, endpoint: ReferenceEndpoint, { path, query }: Request): string {
  const search = new URLSearchParams(query).toString();
  return `${base}${filled(endpoint, path)}${search === '' ? '' : `?${search}`}`;
}

/** Quoted only if necessary. */
const quoted = (text: string): string => (/^[\w./:=@,+-]+$/.test(text) ? text : shellQuoted(text));

function curlOf(base: string, endpoint: ReferenceEndpoint, { path, query }: Request): string {
  const address = quoted(base + filled(endpoint, path));
  const pairs = Object.entries(query).map(([name, value]) =>
    /^[\w.:,-]*$/.test(value) ? `-d ${name}=${value}` : `--data-urlencode ${quoted(`${name}=${value}`)}`,
  );
  return [`curl ${pairs.length > 0 ? '-G ' : ''}${address}`, ...pairs].join(' \\\n  ');
}

const QUOTE = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A value for the typed client: numbers as numbers, lists as lists, `of` as a list of its codes. */
function argumentOf({ parameters }: ReferenceEndpoint, name: string, value: string): string {
  const type = parameters.find((each) => each.name === name)?.type ?? 'string';
  const one = (text: string) => (type.startsWith('integer') && /^\d+$/.test(text) ? text : QUOTE(text));
  if (name === 'of') return `[${value.split('-').map(QUOTE).join(', ')}]`;
  return type.endsWith(',…') ? `[${value.split(',').map(one).join(', ')}]` : one(value);
}

/** The path's parameters in their order, then the first one of the query, then an object of the others. */
function argumentsOf(
  endpoint: ReferenceEndpoint,
  { path, query }: Request,
  first: string | undefined,
): string {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => QUOTE(path[name] ?? ''));
  const before = first === undefined ? [] : [argumentOf(endpoint, first, query[first] ?? '')];
  const others = Object.entries(query)
    .filter(([name]) => name !== first && name !== 'format')
    .map(([name, value]) => `${name}: ${argumentOf(endpoint, name, value)}`);
  return [...inPath, ...before, ...(others.length > 0 ? [`{ ${others.join(', ')} }`] : [])].join(', ');
}

/** Of the default form, or of the requested one. */
const mediaTypeOf = ({ mediaTypes }: ReferenceEndpoint, { format }: Request['query']): string =>
  (format === undefined ? undefined : mediaTypes.find((type) => type.includes(format))) ??
  mediaTypes[0] ??
  '';

/** The method of the client for a request; undefined: it has none. */
const methodOf = ({ client }: ReferenceEndpoint, { format, from }: Request['query']): string | undefined =>
  format === undefined ? (from !== undefined && client['from']) || client['method'] : client[format];

function typescriptOf(base: string, endpoint: ReferenceEndpoint, request: Request): string {
  const { query } = request;
  const mediaType = mediaTypeOf(endpoint, query);
  const create = `create${endpoint.service.replace(/^./, (letter) => letter.toUpperCase())}Client`;
  const method = methodOf(endpoint, query);
  if (method === undefined) {
    const read = mediaType === 'application/json' ? 'json' : 'text';
    return `const response = await fetch(${QUOTE(urlOf(base, endpoint, request))});
console.log(response.status, await response.${read}());`;
  }
  const call = `client.${method}(${argumentsOf(endpoint, request, endpoint.client['first'])})`;
  const print =
    mediaType === 'application/json'
      ? `const { data } = await ${call};\nconsole.log(data);`
      : mediaType === 'application/x-ndjson'
        ? `for await (const each of ${call}) console.log(each);`
        : `console.log(await ${call});`;
  return `import { ${create} } from 'mokuroku-client';

const client = ${create}({ baseUrl: ${QUOTE(base)} });
${print}`;
}

function pythonOf(base: string, endpoint: ReferenceEndpoint, { path, query }: Request): string {
  const pairs = Object.entries(query).map(([name, value]) => `    ${QUOTE(name)}: ${QUOTE(value)},`);
  const params = pairs.length === 0 ? '' : `, params={\n${pairs.join('\n')}\n}`;
  const read = mediaTypeOf(endpoint, query) === 'application/json' ? 'json()' : 'text';
  return `import requests

answer = requests.get(${QUOTE(base + filled(endpoint, path))}${params})
answer.raise_for_status()
print(answer.${read})`;
}

const DEFAULT_BASES: readonly string[] = [DEFAULT_CATALOGUE_URL, DEFAULT_REGISTRATION_URL];

/** Parameters that no command has. */
const API_ONLY: readonly string[] = ['from', 'facets', 'feed', 'bom', 'lang'];
/** The forms that commands print: an option each. */
const PRINTED = ['json', 'csv', 'ndjson'];

/** A parameter as an option. A value with a leading hyphen would be read as an option of its own. */
function sampleOption({ parameters }: ReferenceEndpoint, name: string, value: string): string[] {
  if (name === 'format') return [`--${value}`];
  if (name === 'follow') return value === 'registrar' ? ['--registrar'] : [];
  const isFlag = parameters.find((each) => each.name === name)?.values.join() === '0,1';
  if (isFlag) return value === '1' ? [`--${name}`] : [];
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
}

/** null: the command line does not support the request. */
function cliOf(base: string, endpoint: ReferenceEndpoint, { path, query }: Request): string | null {
  const [command, word = '', ...flags] = endpoint.command;
  if (command === undefined || API_ONLY.some((name) => name in query)) return null;
  if (!PRINTED.includes(query['format'] ?? 'json')) return null;
  const given = path[word] ?? query[word] ?? '';
  const words = (word === 'names' ? given.split(/[\s,]+/) : [given]).filter((each) => each !== '');
  const options = Object.entries(query)
    .filter(([name]) => name !== word)
    .flatMap(([name, value]) => sampleOption(endpoint, name, value));
  const elsewhere = DEFAULT_BASES.includes(base) ? [] : ['--base-url', base];
  const before = words.some((each) => each.startsWith('-')) ? [] : words;
  const after = before === words ? [] : ['--', ...words];
  return ['mokuroku', command, ...before, ...flags, ...options, ...elsewhere, ...after].map(quoted).join(' ');
}

/** Write a request as source code; null if the language does not support it. */
export const SAMPLES = { curl: curlOf, TypeScript: typescriptOf, Python: pythonOf, CLI: cliOf } as const;
export type SampleLanguage = keyof typeof SAMPLES;
export const LANGUAGES = Object.keys(SAMPLES) as SampleLanguage[];
