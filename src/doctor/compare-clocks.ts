import { broken, warning, ok, fillPhrase } from './check.ts';
import type { Finding } from './check.ts';

const OFF_SECONDS = 5;
/** Rankings are requested by date, and nothing older than 14 days may be served. */
const WRONG_SECONDS = 60;

/** Difference between this machine's clock and a stated one, with a precision of a second. */
export function compareClocks(stated: number, read: number): Finding {
  const seconds = Math.abs(Math.round((read - stated) / 1_000));
  const message = fillPhrase('{seconds} s off the clock of the server', { seconds });
  const advice = fillPhrase(
    'Set the clock of this machine, best by NTP: dates of rankings and ages depend on it.',
  );
  if (seconds > WRONG_SECONDS) return broken(message, advice);
  return seconds > OFF_SECONDS ? warning(message, advice) : ok(message);
}
