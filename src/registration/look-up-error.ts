import { ServiceError } from '../errors.ts';

/** Why a look-up gave no registration: `code` says which, `retryAfterSeconds` when it may succeed. */
export class LookUpError extends ServiceError {
  constructor({ code, message, details, retryAfterSeconds, cause }: ServiceError) {
    super(code, { message, details, cause, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
    this.name = 'LookUpError';
  }
}

/** Rejects with a LookUpError where the work rejects with a ServiceError. */
export async function withLookUpError<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ServiceError ? new LookUpError(error) : error;
  }
}
