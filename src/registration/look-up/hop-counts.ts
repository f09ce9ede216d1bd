import type { Hop } from './hops.ts';

/** How often which kind of server said or did what: `registry registered`, `root timeout` ... */
export interface HopCounts {
  observe: (hop: Hop) => void;
  read: () => Iterable<[string, number]>;
}

export function createHopCounts(): HopCounts {
  const counts = new Map<string, number>();
  return {
    observe: ({ role, outcome }) => {
      const kind = `${role} ${outcome}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    },
    read: () => counts,
  };
}
