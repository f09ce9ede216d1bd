/** What a service said beside the data itself. */
export interface Circumstances {
  /** Invented data: the service runs on its sample. */
  sample: boolean;
  /** The source failed and this is the last good answer. */
  stale: boolean;
  ageSeconds: number;
}

export interface Loaded<T> {
  path: string;
  data: T;
  meta: Readonly<Record<string, unknown>>;
  circumstances: Circumstances;
}

/** Why there is no data. `code` is the service's own, or `offline` / `not_json` when there was no answer of its kind. */
export interface Problem {
  path: string;
  status: number;
  code: string;
  /** The service's own English sentence; empty when there was none. */
  message: string;
  details: unknown;
  retryAfterSeconds: number | null;
  requestId: string | null;
  sample: boolean;
}

export type Outcome<T> = { loaded: Loaded<T> } | { problem: Problem };

/** Whether an answer stands in an envelope `{data, meta}` (catalogue) or is the data itself (registration). */
export type BodyForm = 'envelope' | 'bare';

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function seconds(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return (await response.json()) as unknown;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return undefined;
  }
}

function circumstancesOf(response: Response, meta: Json): Circumstances {
  const status = response.headers.get('Cache-Status') ?? '';
  return {
    sample: response.headers.get('X-Data') === 'sample',
    // An answer that is being renewed behind the scenes is marked stale too, but is only moments past its time.
    stale: (meta['stale'] === true && !status.includes('revalidating')) || status.includes('stale-on-error'),
    ageSeconds: seconds(response.headers.get('Age')) ?? 0,
  };
}

function problemOf(path: string, response: Response, body: unknown): Problem {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const { code, message } = error;
  return {
    path,
    status: response.status,
    code: typeof code === 'string' ? code : 'not_json',
    message: typeof message === 'string' ? message : '',
    details: error['details'],
    retryAfterSeconds: seconds(response.headers.get('Retry-After')),
    requestId: response.headers.get('X-Request-Id'),
    sample: response.headers.get('X-Data') === 'sample',
  };
}

const OFFLINE = { status: 0, code: 'offline', message: '', details: undefined } as const;

/** Asks a service. Rejects only when aborted; everything else that goes wrong is a Problem. */
export async function ask<T>(
  fetcher: typeof fetch,
  path: string,
  form: BodyForm,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  let response: Response;
  try {
    response = await fetcher(path, { signal, headers: { Accept: 'application/json' } });
  } catch (error) {
    if (signal.aborted) throw error;
    return { problem: { ...OFFLINE, path, retryAfterSeconds: null, requestId: null, sample: false } };
  }
  const body = await readJson(response);
  if (!response.ok || !isRecord(body)) return { problem: problemOf(path, response, body) };
  const meta = form === 'envelope' && isRecord(body['meta']) ? body['meta'] : {};
  const data = (form === 'envelope' ? body['data'] : body) as T;
  return { loaded: { path, data, meta, circumstances: circumstancesOf(response, meta) } };
}
