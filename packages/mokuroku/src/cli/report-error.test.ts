import { describe, expect, it } from 'vitest';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import { RANKING_PARAMETERS } from '../catalogue/endpoints/get-ranking.ts';
import type { ParameterTable } from '@mokuroku/kit/http';
import {
  ADULT_SEARCH_PARAMETERS,
  NOVEL_SEARCH_PARAMETERS,
  USER_SEARCH_PARAMETERS,
} from '@mokuroku/narou/queries';
import { MokurokuError } from 'mokuroku-client/source';
import { responseFacts } from 'mokuroku-client/parts';
import { allowedInJapanese } from '../words/faults-ja.ts';
import { describeError } from './report-error.ts';

const FAULT = { parameter: 'order', given: 'hyokka', reason: 'no such order' };

function described(
  status: number,
  of: Partial<ConstructorParameters<typeof MokurokuError>[0]>,
  language: 'en' | 'ja' = 'en',
): string {
  const response = responseFacts('', new Response(null, { status }));
  const error = new MokurokuError({ code: 'any', message: 'Busy.', url: '', response, ...of });
  return describeError(error, recordingTerminal({ language }));
}

/** The output for one fault. */
const written = (fault: object, language?: 'en' | 'ja'): string =>
  described(400, { code: 'invalid_parameter', details: [fault] }, language);

describe('an invalid parameter', () => {
  it('is reported with the valid values', () => {
    expect(written({ ...FAULT, allowed: 'new or old' })).toBe(
      'Invalid request:\n  order hyokka: no such order.\n    Allowed: new or old.\n',
    );
  });

  it('is reported with the nearest value, and otherwise only with what fits into 120 characters', () => {
    const near = { ...FAULT, values: ['hyoka', 'new'] };
    const hint = '  order hyokka: no such order. Did you mean hyoka?';
    const [short, long] = ['x'.repeat(120), 'x'.repeat(121)];
    expect(written({ ...near, allowed: short })).toBe(`Invalid request:\n${hint}\n    Allowed: ${short}.\n`);
    expect(written({ ...near, allowed: long })).toBe(`Invalid request:\n${hint}\n`);
  });

  it('is reported with at most 600 characters of the valid values', () => {
    const [whole, more] = ['x'.repeat(600), 'x'.repeat(601)];
    expect(written({ ...FAULT, allowed: whole })).toContain(`Allowed: ${whole}.\n`);
    expect(written({ ...FAULT, allowed: more })).toContain(`Allowed: ${whole}….\n`);
  });

  it('names its value once', () => {
    const fault = { parameter: 'genre', given: '5', reason: 'no such code: "5"' };
    expect(written(fault)).toBe('Invalid request:\n  genre 5: no such code.\n');
    expect(written(fault, 'ja')).toContain('  genre 5: ない値です。\n');
  });

  it('is reported in Japanese only, without the English message of the service', () => {
    const fault = { ...FAULT, reason: 'unknown value', allowed: 'one of: new, old', values: ['new', 'old'] };
    expect(written(fault, 'ja')).toBe(
      '条件に誤りがあります。次の点を直してください。\n  order hyokka: ない値です。\n    指定できる値: 次のどれか: new, old。\n',
    );
  });
});

it('waiting is advised only if the service throttles, and not for long', () => {
  expect(described(503, { retryAfterSeconds: 5 })).toBe('Busy.\nTry again in 5 s.\n');
  expect(described(429, { retryAfterSeconds: 5 })).toBe(
    'Busy.\nTry again in 5 s. With --wait the command waits.\n',
  );
  // Longer than it waits.
  expect(described(429, { retryAfterSeconds: 121 })).toBe('Busy.\nTry again in 121 s.\n');
});

it('the valid values of every catalogue parameter have a translation', () => {
  const parameters = [
    ...[ADULT_SEARCH_PARAMETERS, NOVEL_SEARCH_PARAMETERS, USER_SEARCH_PARAMETERS].flatMap((table) =>
      Object.values(table as ParameterTable),
    ),
    ...Object.values(RANKING_PARAMETERS),
  ];
  const foreign = parameters.map(({ allowed }) => allowed).filter((each) => allowedInJapanese(each) === each);
  expect([...new Set(foreign)]).toEqual([]);
});
