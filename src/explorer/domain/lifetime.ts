/** How far a registration is through the time it is registered for. */
export interface Lifetime {
  /** 0 at its creation, 1 at its expiry; beyond 1 when it has run out. */
  share: number;
  /** Whole days until it runs out; negative after. */
  daysLeft: number;
}

const DAY_MS = 86_400_000;

/** null unless both ends are stated, readable and in order. `now` in milliseconds UTC. */
export function lifetimeOf(creation: string | null, expiration: string | null, now: number): Lifetime | null {
  if (creation === null || expiration === null) return null;
  const from = Date.parse(creation);
  const to = Date.parse(expiration);
  if (Number.isNaN(from) || Number.isNaN(to) || to <= from) return null;
  return { share: Math.max(0, (now - from) / (to - from)), daysLeft: Math.round((to - now) / DAY_MS) };
}

/** A registration that ends within this many days is worth a warning: registrars send theirs at 30 days. */
export const SOON_DAYS = 30;
