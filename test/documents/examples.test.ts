import { beforeAll, describe, expect, it } from 'vitest';
import { catalogueAnswers, registrationAnswers } from '../../scripts/example-answers.ts';
import type { ExampleAnswers } from '../../packages/kit/src/http/openapi-responses.ts';
import { read } from './documents.ts';

// The printed responses match the service's; `npm run examples` updates them.

const SERVICES = { catalogue: catalogueAnswers, registration: registrationAnswers };

const shown = (service: string) =>
  JSON.parse(read(`packages/mokuroku/src/${service}/example-answers.json`)) as ExampleAnswers;

/** Whether a response has rows, fields or lines. */
function isTelling(answer: unknown): boolean {
  if (typeof answer === 'string') return answer.length > 100;
  const { data = answer } = answer as { data?: unknown };
  return (
    (Array.isArray(data) ? data : Object.keys(data as object)).length > 0 && !('error' in (answer as object))
  );
}

describe.each(Object.entries(SERVICES))('the examples of the %s service', (service, send) => {
  let answers: ExampleAnswers;
  beforeAll(async () => {
    answers = await send();
  }, 60_000);

  it('match its responses (written by npm run examples)', () => {
    expect(shown(service)).toEqual(answers);
  });

  it('contain rows', () => {
    const empty = Object.entries(answers.calls).filter(([, answer]) => !isTelling(answer));
    expect(empty).toEqual([]);
  });

  it('of errors contain the documented code', () => {
    for (const [code, body] of Object.entries(answers.errors))
      expect(body).toMatchObject({ error: { code } });
  });
});
