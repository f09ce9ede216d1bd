import { z } from 'zod';

// Compares two reports of `mokuroku doctor --json`, for .github/workflows/doctor.yml.

const Report = z.object({
  mokuroku: z.string(),
  startedAt: z.string(),
  checks: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      state: z.enum(['ok', 'warning', 'broken']),
      finding: z.string(),
      answered: z.boolean(),
      answer: z.string().nullish(),
    }),
  ),
});

/**
 * A line of Markdown for each check whose state or answer has changed; '' if none has. A check without a result from
 * the upstream counts as unchanged: it may have one tomorrow. Without an earlier report, every check that is not ok
 * is a change.
 */
export function doctorChanges(before: unknown, now: unknown): string {
  const earlier = before === undefined ? [] : Report.parse(before).checks;
  const answeredBefore = new Map(
    earlier.filter(({ answered }) => answered).map((check) => [check.id, check]),
  );
  const lines = Report.parse(now).checks.flatMap(({ id, title, state, finding, answered, answer }) => {
    const last = answeredBefore.get(id);
    const isChanged = last ? last.state !== state || last.answer !== answer : state !== 'ok';
    if (!answered || !isChanged) return [];
    return [`- **${title}** (\`${id}\`): ${last ? `${last.state} → ` : ''}${state}. ${finding}`];
  });
  return lines.join('\n');
}
