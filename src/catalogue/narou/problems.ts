import type { ReportProblem, SourceProblem } from '../source/catalogue-source.ts';

/** The unexpected fields and values of one response. */
export interface Problems {
  note(problem: SourceProblem['problem'], about: string): void;
}

/** Reads a response and reports each unexpected kind once: 500 records with the same fault are one report. */
export function collectProblems<Read>(
  upstream: SourceProblem['upstream'],
  report: ReportProblem,
  read: (problems: Problems) => Read,
): Read {
  const noted = new Map<string, SourceProblem>();
  const result = read({
    note: (problem, about) => {
      const key = `${problem} ${about}`;
      const earlier = noted.get(key);
      if (earlier) earlier.count++;
      else if (noted.size < 100) noted.set(key, { upstream, problem, about, count: 1 });
    },
  });
  for (const problem of noted.values()) report(problem);
  return result;
}
