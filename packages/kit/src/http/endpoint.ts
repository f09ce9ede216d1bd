import { z } from 'zod';
import type { CachePolicy, CacheEntry, Question } from '../cache/cache-entry.ts';
import type { ServiceError } from '../errors.ts';
import type { Text } from '../process/text.ts';
import type { ParameterTable, QueryString } from './parameter.ts';
import type { RequestTarget } from './request-context.ts';

/** The parts of a request that an endpoint reads. */
export interface EndpointRequest {
  path: Readonly<Record<string, string>>;
  query: QueryString;
  /** The Accept header. */
  accept?: string | undefined;
  /** The client that the limiter counts this request for: an IPv4 address or an IPv6 /64. */
  client: string;
  /** Logs a failure that a streamed line states: without it, only the client would see it. */
  reportFailure: (error: ServiceError) => void;
  /** Before work of `parse` itself, which no load does: so that requests come in between. */
  nextTurn: () => Promise<void>;
}

/** The query parameters of the next page, which replace those of the request. */
export type NextParameters = Readonly<Record<string, string>>;

/** Undefined on the last page. */
export type NextPage = (entry: CacheEntry) => NextParameters | undefined;

/** A form other than JSON. Errors are always JSON. */
export interface WrittenForm {
  /** Part of the validator, which differs between forms. */
  name: string;
  /** With its charset. */
  contentType: string;
  /** The name of the file, if browsers should save the response instead of showing it. */
  fileNameOf?(entry: CacheEntry): string | undefined;
  /** Equal for requests that get the same text. */
  keyFor(target: RequestTarget): string;
  /** In small parts. */
  write(entry: CacheEntry, target: RequestTarget): Iterable<string>;
  /** What the rows lack, as `X-Incomplete` names it. */
  lacksOf?(entry: CacheEntry): readonly string[];
}

/** A parsed request. */
export interface EndpointQuestion extends Question {
  /** How long the response is cached. */
  policy: CachePolicy;
  /** Names of query parameters that have no effect. */
  ignored: readonly string[];
  /** The text of the path parameter that the body repeats. */
  requestedSpelling?: string | undefined;
  /** Default: JSON. */
  form?: WrittenForm | undefined;
  /** How to request the next page of a list. */
  next?: NextPage | undefined;
}

/** Starts a stream. The signal is aborted when its connection is closed. */
export type StreamLines = (signal: AbortSignal) => AsyncIterable<string | Buffer>;

/** A response that is not cached: a text, or streamed lines. */
export interface TextAnswer {
  body: string | StreamLines;
  /** Memory that streamed lines need until the last is sent, if it is more than a few buffers. */
  memoryBytes?: number | undefined;
  /** With its charset. */
  contentType: string;
  cacheControl: string;
  /** The name of the file, if browsers should save the response instead of showing it. */
  fileName?: string | undefined;
  /** Number of all items of a list. */
  total?: number | undefined;
  /** Query parameters of the next page of a list, if there is one. */
  next?: NextParameters | undefined;
  /** Names of query parameters that have no effect; there is no field to name them in. */
  ignored: readonly string[];
}

/** A call shown in the documents: a task, and the request for it. `npm run examples` records its response. */
export interface ExampleCall {
  /** Camel case; unique within a service. */
  name: string;
  /** The task, as a heading. */
  title: Text;
  /** Values of the path's parameters, not encoded. */
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
}

/** The methods of the typed client for an endpoint: `ndjson` for lines, `from` for a span. */
export interface ClientMethods<Name = string> {
  method: Name;
  /** The parameter of the query that comes before the others. */
  first?: string;
  ndjson?: Name;
  from?: Name;
}

/** How agents call an endpoint, as published. Without it, it is a tool with the defaults of every list. */
export const TOOL_HINTS = z.object({
  /** Defaults that keep results small. */
  defaults: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  /** Members of the response that are sent only on request. */
  omit: z.array(z.string()).optional(),
  /** The endpoint whose tool describes the shared parameters: an agent has them in its context once. */
  describedBy: z.string().optional(),
  /** Offered only to agents that ask for it. */
  isOnRequest: z.boolean().optional(),
  /** A table, read as a resource. */
  isResource: z.boolean().optional(),
});
export type ToolHints = z.infer<typeof TOOL_HINTS>;

/** A form other than JSON, as published in OpenAPI. */
export interface PublishedForm {
  /** The value of `format`. */
  name: string;
  /** Without parameters: `text/csv`. */
  mediaType: string;
  description: Text;
  /** False: the source of this service has it not. Default: true. */
  isAvailable?: boolean;
}

/** An endpoint as published in OpenAPI. */
export interface PublishedEndpoint {
  /** The operationId in OpenAPI. */
  name: string;
  /** Fastify's form: `/things/:id`. */
  path: string;
  group: string;
  summary: Text;
  description: Text;
  pathTable?: ParameterTable;
  queryTable?: ParameterTable;
  /** Query parameters that are accepted but never have an effect, with the reason. */
  accepted?: { names: readonly string[]; reason: Text } | undefined;
  /** The whole body of a 200. */
  answer: z.ZodType;
  /** Further forms of a 200. */
  otherForms?: readonly PublishedForm[];
  /** Codes of the service's tables. */
  errors: readonly string[];
  /** The schema of an error's details, if it has any. */
  details?: Readonly<Record<string, z.ZodType | undefined>>;
  /** False if the source of this service can never answer it: it is not offered to agents. Default: true. */
  isAvailable?: boolean;
  /** Media type of a 200; default JSON. */
  mediaType?: string;
  examples?: readonly ExampleCall[];
  client?: ClientMethods;
  /** Its command: the name, the parameter that becomes its words, and options: `['find', 'word', '--all']`. */
  command?: readonly [name: string, word: string, ...options: string[]];
  /** False: no tool for agents. */
  tool?: ToolHints | false;
}

/** One path of a service: its published description, and its handler. */
export interface Endpoint extends PublishedEndpoint {
  /** Throws, or rejects with, ServiceError (invalid_parameter ...) naming every fault. */
  parse(request: EndpointRequest): EndpointQuestion | TextAnswer | Promise<EndpointQuestion | TextAnswer>;
}

/** How this request got its response, for the `meta` of the body. */
export interface RequestMeta extends Pick<EndpointQuestion, 'ignored' | 'requestedSpelling'> {
  cached: boolean;
  stale: boolean;
  /** Whole milliseconds. */
  tookMs: number;
}

/** Composes the body of a 200. Its parts are not copied: one is the data of the entry. */
export type Envelope = (entry: CacheEntry, requestMeta: RequestMeta) => readonly Buffer[];
