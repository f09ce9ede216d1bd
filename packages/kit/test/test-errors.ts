import { errorTable } from '../src/errors.ts';

const row = (status: number) => ({
  status,
  message: `Error ${status}.`,
  en: ['', ''] as const,
  ja: ['', ''] as const,
});

/** Errors of a service of the tests. */
export const TEST_ERRORS = errorTable({
  not_registered: { ...row(404), isAbsence: true },
  upstream_share_spent: row(429),
  upstream_invalid: row(502),
  upstream_unavailable: row(503),
  upstream_budget_spent: row(503),
  upstream_timeout: row(504),
});
