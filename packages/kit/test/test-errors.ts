import { errorTable } from '../src/errors.ts';

const row = (status: number, retryable: boolean) => ({
  status,
  retryable,
  message: `Error ${status}.`,
  en: ['', ''] as const,
  ja: ['', ''] as const,
});

/** Errors of a service of the tests. */
export const TEST_ERRORS = errorTable({
  not_registered: { ...row(404, false), isAbsence: true },
  upstream_share_spent: row(429, true),
  upstream_invalid: row(502, true),
  upstream_unavailable: row(503, true),
  upstream_budget_spent: row(503, true),
  upstream_timeout: row(504, true),
});
