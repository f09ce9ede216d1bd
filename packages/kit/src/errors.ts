import { text } from './process/text.ts';
import type { Text } from './process/text.ts';

/** One kind of error. `code` is for programs, `message` the default text for users of the API. */
export interface ErrorKind<Code extends string = string> {
  readonly code: Code;
  /** It also says whether the same request can succeed later: see `isPassing`. */
  readonly status: number;
  readonly message: string;
  /** States that something is absent: the response is cached. All other errors are failures, and never cached. */
  readonly isAbsence?: boolean;
  /** For the page, the command line and the documents. */
  readonly en: readonly [title: string, remedy: string];
  readonly ja: readonly [title: string, remedy: string];
  /** In docs/api.md, instead of title and remedy. */
  readonly docs?: Text;
}

export type ErrorTable = Readonly<Record<string, ErrorKind>>;

/** A table of errors by their codes. Each service has one beside the general `ERRORS`. */
export const errorTable = <Code extends string>(
  rows: Readonly<Record<Code, Omit<ErrorKind, 'code'>>>,
): { readonly [Each in Code]: ErrorKind<Each> } =>
  Object.fromEntries(
    Object.entries<Omit<ErrorKind, 'code'>>(rows).map(([code, row]) => [code, { code, ...row }]),
  ) as { readonly [Each in Code]: ErrorKind<Each> };

// prettier-ignore
/** The errors of every service. */
export const ERRORS = errorTable({
  invalid_parameter: { status: 400, message: 'The request has invalid parameters.',
    en: ['Invalid request', 'Correct the following.'],
    ja: ['条件に誤りがあります', '次の点を直してください。'],
    docs: text('`details` lists every fault: the parameter, its value, what is allowed.', '`details` に、すべての誤りを示します。パラメーター、その値、使用できる値です。') },
  not_found: { status: 404, isAbsence: true, message: 'There is nothing here.',
    en: ['Not found', 'The code is wrong, or the entry was deleted.'],
    ja: ['見つかりません', 'コードが違うか、取得できなくなっています（削除、非公開、検索除外）。'],
    docs: text('No such entry (cached for a minute), or path (in `details.path`).', '項目またはパスがありません。項目の場合は 1 分間キャッシュし、パスの場合は `details.path` に示します。') },
  method_not_allowed: { status: 405, message: 'Only GET, HEAD and OPTIONS are allowed here.',
    en: ['Method not allowed', 'Only GET, HEAD and OPTIONS are allowed here.'],
    ja: ['許可されていないメソッドです', '使用できるのは GET、HEAD、OPTIONS だけです。'] },
  uri_too_long: { status: 414, message: 'The URL is too long.',
    en: ['URL too long', 'Shorten its text or list: it may have 8,192 characters, and a Japanese one counts as 9.'],
    ja: ['URL が長すぎます', '検索語やリストを短くしてください。URL は 8,192 文字までで、日本語の 1 文字は 9 文字と数えます。'] },
  expectation_failed: { status: 417, message: 'This service does not support Expect headers.',
    en: ['Expect header not supported', 'Only 100-continue is supported.'],
    ja: ['Expect ヘッダーに対応していません', '使用できるのは 100-continue だけです。'] },
  rate_limited: { status: 429, message: 'Too many requests.',
    en: ['Rate limit reached', 'You sent more requests than this service allows in a minute.'],
    ja: ['レート制限に達しました', '1分間に受け付ける回数を超えました。'] },
  headers_too_large: { status: 431, message: 'The request headers are too large.',
    en: ['Request headers too large', 'At most 100, of 16 kB in all.'],
    ja: ['ヘッダーが大きすぎます', '100 個、合計 16 kB までです。'] },
  internal: { status: 500, message: 'Something went wrong on our side.',
    en: ['Something went wrong', 'The error is on our side. Tell the operator the id of the request.'],
    ja: ['エラーが発生しました', 'サービス側の問題です。リクエストの ID を運用者に知らせてください。'] },
  overloaded: { status: 503, message: 'The service is overloaded.',
    en: ['Service overloaded', 'Try again in a moment.'],
    ja: ['混み合っています', '少し待ってから試してください。'] },
});

export type GeneralErrorCode = keyof typeof ERRORS;

interface ServiceErrorOptions {
  /** For the user; default: that of the kind. Never contains a stack, a path or upstream text. */
  message?: string;
  /** For the user: which parameter, what was given, what is allowed ... */
  details?: unknown;
  /** Seconds after which a retry can succeed; sent as Retry-After. */
  retryAfterSeconds?: number | undefined;
  /** For the log only. */
  cause?: unknown;
}

/** An error of a table. Clients get its message and details; its cause is only logged. */
export class ServiceError extends Error {
  readonly code: string;
  readonly #kind: Pick<ErrorKind, 'status' | 'isAbsence'>;
  readonly #details: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: Pick<ErrorKind, 'code' | 'message' | 'status' | 'isAbsence'>,
    options: ServiceErrorOptions = {},
  ) {
    super(options.message ?? kind.message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = kind.code;
    this.#kind = kind;
    this.#details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** For the client. A log serialises own members only: it never has details, which may contain an upstream's text. */
  get details(): unknown {
    return this.#details;
  }

  get status(): number {
    return this.#kind.status;
  }

  get isAbsence(): boolean {
    return this.#kind.isAbsence === true;
  }
}

/** Failures that are in no table are internal errors. */
export function asServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError(ERRORS.internal, { cause: error });
}

/** The error envelope, as published: `{error: {code, message, details?}}`. */
export interface ErrorBody {
  error: { code: string; message: string; details?: unknown };
}

export function toErrorBody(error: ServiceError): ErrorBody {
  const body: ErrorBody = { error: { code: error.code, message: error.message } };
  if (error.details !== undefined) body.error.details = error.details;
  return body;
}
