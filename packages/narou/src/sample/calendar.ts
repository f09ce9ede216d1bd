import { japanDay, japanMidnight } from '../novels/japan-date.ts';

/** When the daily ranking is made, and points and readers are renewed: 04:00 in Japan. */
const RENEWAL_MS = 4 * 3_600_000;

/** The day in Japan whose renewal was the last one at an instant (milliseconds UTC). */
export const dayAt = (at: number): number => japanDay(at - RENEWAL_MS);

/** The renewal of a day: milliseconds UTC. */
export const renewalOf = (day: number): number => japanMidnight(day) + RENEWAL_MS;

/** The last renewal up to an instant. */
export const renewalAt = (at: number): number => renewalOf(dayAt(at));
