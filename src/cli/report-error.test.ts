import { describe, expect, it } from 'vitest';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import { MokurokuError } from '../client/index.ts';
import { describeError } from './report-error.ts';

const FAULT = { parameter: 'order', given: 'hyokka', reason: 'no such order' };

/** What is written of one fault. */
const written = (fault: object): string =>
  describeError(
    new MokurokuError({
      ...{ code: 'invalid_parameter', message: 'Wrong.', url: 'http://service.example/' },
      ...{ response: responseOf(400), details: [fault] },
    }),
    recordingTerminal(),
  );

function responseOf(status: number) {
  return {
    ...{ url: 'http://service.example/', status, sample: false, ageSeconds: 0, stale: false },
    ...{ cacheStatus: undefined, remaining: undefined, requestId: undefined },
  };
}

describe('a fault of what was asked for', () => {
  it('is told with what would be right', () => {
    expect(written({ ...FAULT, allowed: 'new or old' })).toBe(
      'Wrong.\n  order hyokka: no such order.\n    Right would be new or old.\n',
    );
  });

  it('is told with what was likely meant, and beside that only what fits into 120 characters', () => {
    const near = { ...FAULT, values: ['hyoka', 'new'] };
    const hint = '  order hyokka: no such order. Did you mean hyoka?';
    const [short, long] = ['x'.repeat(120), 'x'.repeat(121)];
    expect(written({ ...near, allowed: short })).toBe(`Wrong.\n${hint}\n    Right would be ${short}.\n`);
    expect(written({ ...near, allowed: long })).toBe(`Wrong.\n${hint}\n`);
  });

  it('is told with at most 600 characters of what is allowed', () => {
    const [whole, more] = ['x'.repeat(600), 'x'.repeat(601)];
    expect(written({ ...FAULT, allowed: whole })).toContain(`Right would be ${whole}.\n`);
    expect(written({ ...FAULT, allowed: more })).toContain(`Right would be ${whole}….\n`);
  });
});
