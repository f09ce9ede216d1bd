import type { ReportProblem, SourceProblem } from '../catalogue-source.ts';

/** Collects what is odd in one answer, so that 500 records with the same fault are one report. */
export interface Problems {
  note(problem: SourceProblem['problem'], about: string): void;
  /** Hands the collected ones over; nothing happens when there are none. */
  flush(): void;
}

export function collectProblems(upstream: SourceProblem['upstream'], report: ReportProblem): Problems {
  const noted = new Map<string, SourceProblem>();
  return {
    note: (problem, about) => {
      const key = `${problem} ${about}`;
      const known = noted.get(key);
      if (known) known.count++;
      else if (noted.size < 100) noted.set(key, { upstream, problem, about, count: 1 });
    },
    flush: () => {
      for (const problem of noted.values()) report(problem);
    },
  };
}
