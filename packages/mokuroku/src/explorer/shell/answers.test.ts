import { describe, expect, it } from 'vitest';
import { MokurokuError } from 'mokuroku-client/source';
import type { ResponseFacts } from 'mokuroku-client/source';
import { createAnswers } from './answers.ts';
import { createCallLog } from './calls.ts';
import type { Answered, ApiQuestion } from './answers.ts';

const signal = new AbortController().signal;
const make = (now: () => number) => createAnswers({ log: createCallLog(now, ''), now });
interface Counted extends Answered {
  data: number;
}

/** A question whose response is the number of its requests. */
function counting(key: string): ApiQuestion<Counted> {
  let requestCount = 0;
  return {
    key,
    load: () => {
      requestCount += 1;
      return Promise.resolve({ data: requestCount } as Counted);
    },
  };
}
const failing = (key: string): ApiQuestion<Counted> => ({
  key,
  load: () => Promise.reject(new Error('no')),
});

describe('a request', () => {
  it('is cached for a minute, unless it failed or is to be dropped', async () => {
    let now = 0;
    const answers = make(() => now);
    const question = counting('a');
    await answers.load(question, signal);
    now = 59_999;
    expect(answers.cached(question)).toEqual({ data: 1 });
    now = 60_000;
    expect(answers.cached(question)).toBeUndefined();
    await answers.load(question, signal);
    answers.forget();
    expect(answers.cached(question)).toBeUndefined();
    await expect(answers.load(failing('b'), signal)).rejects.toThrow('no');
    expect(answers.cached(failing('b'))).toBeUndefined();
  });
  it('sent ahead is sent once: its first user gets that response, the next sends another', async () => {
    const answers = make(() => 0);
    const question = counting('a');
    answers.preload(question);
    expect(await answers.load(question, signal)).toEqual({ data: 1 });
    expect(await answers.load(question, signal)).toEqual({ data: 2 });
  });
  it('sent ahead that fails is reported to its user only', async () => {
    const answers = make(() => 0);
    answers.preload(failing('a'));
    await expect(answers.load(failing('a'), signal)).rejects.toThrow('no');
    answers.preload(failing('b'));
    expect(await answers.load(counting('c'), signal)).toEqual({ data: 1 });
  });
  it.each<[string, () => Promise<Counted>]>([
    ['an error of another kind', () => Promise.reject(new TypeError('no'))],
    [
      'a text thrown at once',
      () => {
        AbortSignal.abort('no').throwIfAborted();
        return counting('a').load({}, signal);
      },
    ],
    ['nothing', () => Promise.resolve(undefined as unknown as Counted)],
  ])('that fails with %s rejects with a problem that can be shown', async (_what, load) => {
    const answers = make(() => 0);
    const question = { key: 'a', load };
    await expect(answers.load(question, signal)).rejects.toMatchObject({ code: 'other', status: 0, url: '' });
    answers.preload(question);
    await expect(answers.load(question, signal)).rejects.toBeInstanceOf(MokurokuError);
    expect(answers.cached(question)).toBeUndefined();
  });
  it('is dropped oldest first when the cache is full; one that was sent again is not the oldest', async () => {
    const answers = make(() => 0);
    const all = Array.from({ length: 201 }, (_, number) => counting(String(number)));
    for (const question of [...all.slice(0, 200), all[0]!, all[200]!]) await answers.load(question, signal);
    const dropped = all.filter((question) => answers.cached(question) === undefined);
    expect(dropped.map(({ key }) => key)).toEqual(['1']);
  });
  it('that was answered in another way is cached too', () => {
    const answers = make(() => 0);
    answers.store(counting('a'), { data: 7 } as Counted);
    expect(answers.cached(counting('a'))).toEqual({ data: 7 });
  });
});

describe('the allowance for requests while typing', () => {
  const left = (remaining: number | undefined): ApiQuestion<Answered> => ({
    key: `${remaining}`,
    load: () => Promise.resolve({ response: { remaining } } as Answered),
  });
  it('exists while twenty requests are left, or none are counted; a late response does not restore it', async () => {
    const answers = make(() => 0);
    const seen: boolean[] = [answers.hasQuotaLeft()];
    for (const remaining of [undefined, 20, 19, undefined, 20]) {
      await answers.load(left(remaining), signal);
      seen.push(answers.hasQuotaLeft());
    }
    expect(seen).toEqual([true, true, true, false, false, false]);
  });
  it('is checked again after 20 seconds, and lost by a rejection too', async () => {
    let now = 0;
    const answers = make(() => now);
    const response = { remaining: 0 } as ResponseFacts;
    const error = new MokurokuError({ code: 'rate_limited', message: '', url: '', response });
    await answers.load({ key: 'a', load: () => Promise.reject(error) }, signal).catch(() => undefined);
    now = 19_999;
    expect(answers.hasQuotaLeft()).toBe(false);
    now = 20_000;
    expect(answers.hasQuotaLeft()).toBe(true);
  });
});
