import type { z } from 'zod';
import type { CachePolicy, CacheEntry, Question } from '../cache/answer.ts';
import type { ErrorCode } from '../errors.ts';
import type { QueryString } from './query-string.ts';
import type { RequestTarget } from './request-target.ts';

/** One parameter as it is published in OpenAPI. */
export interface PublishedParameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  /** JSON schema of what the text means: a number, a list ... Lists are written with commas. */
  schema: Readonly<Record<string, unknown>>;
  example?: string | number;
}

/** What of a request an endpoint is asked with. */
export interface EndpointRequest {
  path: Readonly<Record<string, string>>;
  query: QueryString;
  /** The Accept header. */
  accept?: string | undefined;
  /** Whom the limiter counts this request for: an IPv4 address or an IPv6 /64. */
  client: string;
}

/** The query parameters of the next page, in place of those of the request. */
export type NextParameters = Readonly<Record<string, string>>;

/** Undefined on the last page. */
export type NextPage = (answer: CacheEntry) => NextParameters | undefined;

/** An answer written otherwise than in JSON. Errors are always JSON. */
export interface WrittenForm {
  /** Tells its validator from those of other forms. */
  name: string;
  /** With its charset. */
  contentType: string;
  /** File extension, where browsers are to save the answer rather than show it. */
  extension?: string | undefined;
  /** Equal for requests to whom the same answer is written alike. */
  keyFor(target: RequestTarget): string;
  write(answer: CacheEntry, target: RequestTarget): string;
}

/** A request, understood. */
export interface EndpointQuestion extends Question {
  /** How long its answer is kept. */
  policy: CachePolicy;
  /** Names of query parameters that have no effect. */
  ignored: readonly string[];
  /** What the body repeats as this request wrote it; left out when it is written as the key has it. */
  echo?: string | undefined;
  /** JSON when left out. */
  form?: WrittenForm | undefined;
  /** Of a list: how to request the page behind an answer. */
  next?: NextPage | undefined;
}

/** An answer of which nothing is kept: a text, or lines that leave as they are found. */
export interface TextAnswer {
  body: string | AsyncIterable<string | Buffer>;
  /** Of lines: the memory that they need until the last has left, where it is more than a few buffers. */
  heldBytes?: number | undefined;
  /** With its charset. */
  contentType: string;
  cacheControl: string;
  /** File extension, where browsers are to save the answer rather than show it. */
  extension?: string | undefined;
  /** Of a list: the number of all items. */
  total?: number | undefined;
  /** Of a list: the query parameters of the next page, if there is one. */
  next?: NextParameters | undefined;
  /** Names of query parameters that have no effect; there is no field to name them in. */
  ignored: readonly string[];
}

/** A form other than JSON, as it is published. */
export interface PublishedForm {
  /** Without parameters: `text/csv`. */
  mediaType: string;
  description: string;
}

/** What the documents of a service say of one of its paths. */
export interface PublishedEndpoint {
  /** Also the operationId. */
  name: string;
  /** Fastify's form: `/v1/novels/:ncode`. */
  path: string;
  group: string;
  summary: string;
  description: string;
  parameters: readonly PublishedParameter[];
  /** The whole body of a 200. */
  answer: z.ZodType;
  /** Other forms that a 200 may have. */
  otherForms?: readonly PublishedForm[];
  errors: readonly ErrorCode[];
  /** The form of an error's details, where it has one. */
  details?: Partial<Record<ErrorCode, z.ZodType>>;
  /** Of a 200; JSON when left out. */
  mediaType?: string;
}

/** One path of a service: what is published of it, and how it is asked. */
export interface Endpoint extends PublishedEndpoint {
  /** Throws, or rejects with, ServiceError (invalid_parameter ...) naming every fault. */
  ask(request: EndpointRequest): EndpointQuestion | TextAnswer | Promise<TextAnswer>;
}

/** How this request came to its answer, as far as the body tells. */
export interface Circumstances {
  cached: boolean;
  stale: boolean;
  /** Whole milliseconds. */
  tookMs: number;
  /** Query parameters that had no effect. */
  ignored: readonly string[];
  /** See EndpointQuestion. */
  echo: string | undefined;
}

/**
 * How the body of a 200 is put together, which differs from service to service. What all responses of one load have in
 * common comes first and is composed and compressed once; each ends with what differs between requests.
 */
export interface Envelope {
  begin(answer: CacheEntry, echo?: string): readonly Buffer[];
  end(answer: CacheEntry, circumstances: Circumstances): string;
}
