import { ServiceError } from '../errors.ts';

/** A failed look-up: `code` is the reason, `retryAfterSeconds` the time until it may succeed. */
export class LookUpError extends ServiceError {
  constructor({ code, message, details, retryAfterSeconds, cause }: ServiceError) {
    super(code, { message, details, cause, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
    this.name = 'LookUpError';
  }
}

/** Converts a ServiceError of the work to a LookUpError. */
export async function withLookUpError<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ServiceError ? new LookUpError(error) : error;
  }
}
