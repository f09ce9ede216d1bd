import { createContext } from 'preact';
import { MOST_COMPARED } from './view.ts';

/** The novels that the reader has put aside to be compared; held by the page, kept nowhere. */
export interface CompareChoice {
  ncodes: readonly string[];
  toggle: (ncode: string) => void;
}

export const CompareContext = createContext<CompareChoice>({ ncodes: [], toggle: () => undefined });

/** The choice with one novel more, the oldest giving way when there are too many; or without it. */
export function withNcode(ncodes: readonly string[], ncode: string): string[] {
  const others = ncodes.filter((each) => each !== ncode);
  return others.length < ncodes.length ? others : [...others, ncode].slice(-MOST_COMPARED);
}
