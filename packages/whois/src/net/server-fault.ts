/** Why a server gave no usable answer. */
export type FaultReason =
  /** its share of the time has passed */
  | 'timeout'
  /** no such host, connection refused or reset, TLS failure ... */
  | 'unreachable'
  /** every address of the host is special */
  | 'forbidden_address'
  /** the answer exceeds the size limit */
  | 'too_large'
  /** the connection broke; `part` is the received part */
  | 'cut_off'
  /** violates the protocol: HTML, invalid JSON, a forbidden redirect ... */
  | 'bad_answer'
  /** the server has throttled our queries, and the wait is not over */
  | 'paused'
  /** our own limits for this server allow no call before the deadline */
  | 'busy';

interface FaultOptions {
  /** For the log: host names, addresses, error codes. */
  detail?: string;
  part?: Buffer | undefined;
  cause?: unknown;
  /** Seconds until the same request can succeed, if known. */
  retryAfterSeconds?: number;
}

/**
 * A root, registry or registrar server that gave no answer. The message is for the log, not for clients.
 *
 * @example
 * // A gate that allows no call rejects with one.
 * const gate = { run: () => Promise.reject(new ServerFault('busy', { retryAfterSeconds: 5 })) };
 * const client = createLookUpClient({ gate });
 * const error = await client.lookUpDomain('example.com').catch((reason) => reason);
 * error.code; // 'registry_rate_limited'
 * error.retryAfterSeconds; // 5
 * client.close();
 */
export class ServerFault extends Error {
  readonly reason: FaultReason;
  readonly part: Buffer | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: FaultReason, options: FaultOptions = {}) {
    super(options.detail ?? reason, { cause: options.cause });
    this.name = 'ServerFault';
    this.reason = reason;
    this.part = options.part;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Whether the server was not queried: by our own limits, or because it is paused. */
export const isLimit = ({ reason }: ServerFault): boolean => reason === 'paused' || reason === 'busy';

/** Whether the server failed, not the query: a server that answers, even with an error, does not. */
export const isOfServer = ({ reason }: ServerFault): boolean =>
  reason === 'timeout' || reason === 'unreachable';

/** The fault of a failed connection. An aborted signal counts as a timeout. */
export function toServerFault(error: unknown): ServerFault {
  if (error instanceof ServerFault) return error;
  if (error instanceof Error && /^(?:Abort|Timeout)Error$/.test(error.name)) {
    return new ServerFault('timeout', { detail: 'timed out', cause: error });
  }
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : 'unknown';
  return new ServerFault('unreachable', { detail: code, cause: error });
}
