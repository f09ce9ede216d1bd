import { withChangedFolder } from './changes-answers.ts';
import { startCatalogue } from '../packages/mokuroku/src/catalogue/main.ts';
import { ERRORS, ServiceError, toErrorBody } from '@mokuroku/kit';
import type { ErrorKind, ErrorTable } from '@mokuroku/kit';
import { NOVEL_ERRORS } from '@mokuroku/narou';
import { REGISTRY_ERRORS } from '../packages/mokuroku/src/registration/errors.ts';
import type { ExampleCall } from '@mokuroku/kit/http';
import type { ExampleAnswers } from '../packages/kit/src/http/openapi-responses.ts';
import { systemClock } from '@mokuroku/kit/process';
import { startRegistration } from '../packages/mokuroku/src/registration/main.ts';

// Responses of both services to the documented calls, from the sample, over HTTP, on one day.

/** Noon in Japan: every ranking of the day is published. */
const DAY = Date.parse('2026-11-21T03:00:00Z');
const clock = { ...systemClock, now: () => DAY };

const MAX_LIST_LENGTH = 5;
const SHOWN = 3;

/** The path and query of a call, encoded. */
function urlOfCall(template: string, { path = {}, query = {} }: ExampleCall): string {
  const filled = template.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** Cuts long lists and fixes times that differ from run to run. */
function withFixedValues(value: unknown): unknown {
  if (Array.isArray(value))
    return value.slice(0, value.length > MAX_LIST_LENGTH ? SHOWN : undefined).map(withFixedValues);
  if (typeof value !== 'object' || value === null) return value;
  const settled = Object.entries(value).map(([name, member]) => [
    name,
    name === 'tookMs' || name === 'ms' ? 12 : withFixedValues(member),
  ]);
  return Object.fromEntries(settled) as unknown;
}

/** Sorts lines that arrive in any order, keeps the first of many, and fixes the duration. */
function settleText(type: string, text: string): string {
  if (type.startsWith('text/csv'))
    return text
      .split('\r\n')
      .slice(0, SHOWN + 1)
      .join('\r\n');
  return type.startsWith('application/x-ndjson')
    ? `${text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.stringify(withFixedValues(JSON.parse(line))))
        .sort()
        .join('\n')}\n`
    : text.replace(/^(domain_lookup_duration_seconds\S*) .*$/m, '$1 0.012');
}

async function fetchAnswer(url: string): Promise<unknown> {
  const response = await fetch(url);
  const type = response.headers.get('content-type') ?? '';
  const text = (await response.text()).replaceAll(new URL(url).origin, 'http://127.0.0.1:3000');
  return type.startsWith('application/json') ? withFixedValues(JSON.parse(text)) : settleText(type, text);
}

/** A running service without a rate limit. */
interface RunningService {
  address: string;
  /** Beside the general ones. */
  ownErrors: ErrorTable;
  failures: Readonly<Record<string, string>>;
}

interface Document {
  paths: Record<string, { get: { 'x-calls': ExampleCall[]; 'x-available'?: false } }>;
}

/** Calls whose endpoint the source of the service can never answer have none. */
async function answersOf({ address, ownErrors, failures }: RunningService): Promise<ExampleAnswers> {
  const { paths } = (await (await fetch(`${address}/openapi.json`)).json()) as Document;
  const answers: Record<string, unknown> = {};
  for (const [path, { get }] of Object.entries(paths)) {
    for (const call of get['x-calls']) {
      const isAvailable = get['x-available'] ?? true;
      answers[call.name] = isAvailable ? await fetchAnswer(address + urlOfCall(path, call)) : undefined;
    }
  }
  const errors: Record<string, unknown> = {};
  for (const kind of Object.values<ErrorKind>({ ...ERRORS, ...ownErrors })) {
    const path = failures[kind.code];
    // Errors that no request can cause have the message of the table.
    errors[kind.code] =
      path === undefined ? toErrorBody(new ServiceError(kind)) : await fetchAnswer(address + path);
  }
  return { calls: answers, errors };
}

/** The response to the first request over the usual limit, as if no time had passed. */
async function exceedLimit(address: string, path: string): Promise<unknown> {
  for (let sent = 0; sent < 60; sent += 1) await (await fetch(address + path)).arrayBuffer();
  const text = await (await fetch(address + path)).text();
  return JSON.parse(text.replace(/again in \d+ s/, 'again in 60 s'));
}

interface Service {
  address: string;
  close: () => Promise<void>;
}

/** Requests to a service instance with a rate limit and short timeouts. */
interface ImpatientRequests {
  /** A cheap request, repeated until it is rejected. */
  cheapPath: string;
  failures: Readonly<Record<string, string>>;
}

async function answersOfService(
  start: (settings: Record<string, string>, timeoutMs?: number) => Promise<Service>,
  service: Omit<RunningService, 'address'>,
  { cheapPath, failures }: ImpatientRequests,
): Promise<ExampleAnswers> {
  const [patient, hasty] = await Promise.all([start({ ...QUIET, RATE_LIMIT: '0' }), start(QUIET, HASTE_MS)]);
  try {
    const { calls, errors } = await answersOf({ ...service, address: patient.address });
    const more: Record<string, unknown> = {};
    for (const [code, path] of Object.entries(failures)) more[code] = await fetchAnswer(hasty.address + path);
    return {
      calls,
      errors: { ...errors, ...more, rate_limited: await exceedLimit(hasty.address, cheapPath) },
    };
  } finally {
    await Promise.all([patient.close(), hasty.close()]);
  }
}

const QUIET = { LOG_LEVEL: 'silent', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
/** Long enough for the root to respond on a busy machine. */
const HASTE_MS = 2_000;
const LONG = 'a'.repeat(10_000);

/** Those that need a local catalogue are its own. */
const localAnswers = (): Promise<ExampleAnswers> =>
  withChangedFolder(clock, async (dir) => {
    const local = { CATALOGUE_SOURCE: 'local', CATALOGUE_DIR: dir, RATE_LIMIT: '0' };
    const { address, close } = await startCatalogue({ ...QUIET, ...local }, clock);
    try {
      return await answersOf({
        address,
        ownErrors: NOVEL_ERRORS,
        failures: { cursor_expired: '/v1/changes?since=00000000-1-1' },
      });
    } finally {
      await close();
    }
  });

export async function catalogueAnswers(): Promise<ExampleAnswers> {
  const sample = await sampleAnswers();
  const local = await localAnswers();
  return {
    calls: Object.fromEntries(
      Object.entries(sample.calls).map(([name, answer]) => [name, answer ?? local.calls[name]]),
    ),
    // Errors in the order of the table.
    errors: { ...sample.errors, ...local.errors },
  };
}

const sampleAnswers = (): Promise<ExampleAnswers> =>
  answersOfService(
    (settings) => startCatalogue(settings, clock),
    {
      ownErrors: NOVEL_ERRORS,
      failures: {
        invalid_parameter: '/v1/novels?lim=501&minlen=1e5',
        not_found: '/v1/novels/N9999ZZ',
        ranking_not_published: '/v1/rankings/daily?date=2030-01-01',
        uri_too_long: `/v1/novels?word=${LONG}`,
      },
    },
    { cheapPath: '/v1/meta/nocgenres', failures: {} },
  );

export const registrationAnswers = (): Promise<ExampleAnswers> =>
  answersOfService(
    (settings, timeoutMs) => startRegistration(settings, clock, { timeoutMs }),
    {
      ownErrors: REGISTRY_ERRORS,
      failures: {
        invalid_parameter: '/example.com?follow=both',
        invalid_domain: '/-a.com',
        not_found: '/reserved-sample.org/expiry.ics',
        not_registered: '/free-name.org',
        unknown_tld: '/example.nowhere',
        no_registry_service: '/example.silent',
        registry_unavailable: '/example.broken',
        registry_rate_limited: '/example.busy',
        uri_too_long: `/${LONG}.com`,
      },
    },
    { cheapPath: '/-/about', failures: { registry_timeout: '/example.slow' } },
  );

/** The content of the files. */
export const toText = (answers: ExampleAnswers): string => `${JSON.stringify(answers, null, 2)}\n`;
