import { broken, warning, ok } from './check.ts';
import type { Finding } from './check.ts';

const OFF_SECONDS = 5;
/** Rankings are requested by date, and nothing older than 14 days may be served. */
const WRONG_SECONDS = 60;

/** Difference between this machine's clock and a stated one (NaN if missing), with a precision of a second. */
export function compareClocks(stated: number, read: number): Finding {
  if (Number.isNaN(stated)) return warning('the reply has no date to compare with');
  const seconds = Math.abs(Math.round((read - stated) / 1_000));
  const state = seconds > WRONG_SECONDS ? broken : warning;
  return seconds <= OFF_SECONDS
    ? ok('{seconds} s off the clock of the server', { seconds })
    : state(
        '{seconds} s off the clock of the server',
        { seconds },
        'Set the clock of this machine, best by NTP: dates of rankings and ages depend on it.',
      );
}
