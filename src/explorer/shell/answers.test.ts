import { describe, expect, it } from 'vitest';
import { MokurokuError } from '../../client/index.ts';
import type { ResponseFacts } from '../../client/index.ts';
import { createAnswers } from './answers.ts';
import type { Answered, Question, Service } from './answers.ts';

const signal = new AbortController().signal;
const NO_SERVICE = {} as Service;
interface Counted extends Answered {
  data: number;
}

/** A question that answers how often it has been asked. */
function counting(key: string): Question<Counted> {
  let asked = 0;
  return {
    key,
    load: () => {
      asked += 1;
      return Promise.resolve({ data: asked } as Counted);
    },
  };
}
const failing = (key: string): Question<Counted> => ({
  key,
  load: () => Promise.reject(new Error('no')),
});

describe('what has been asked', () => {
  it('is remembered for a minute, unless it went wrong or is to be forgotten', async () => {
    let now = 0;
    const answers = createAnswers(NO_SERVICE, () => now);
    const question = counting('a');
    await answers.ask(question, signal);
    now = 59_999;
    expect(answers.known(question)).toEqual({ data: 1 });
    now = 60_000;
    expect(answers.known(question)).toBeUndefined();
    await answers.ask(question, signal);
    answers.forget();
    expect(answers.known(question)).toBeUndefined();
    await expect(answers.ask(failing('b'), signal)).rejects.toThrow('no');
    expect(answers.known(failing('b'))).toBeUndefined();
  });
  it('ahead is asked once: the first to want it takes that answer, the next asks anew', async () => {
    const answers = createAnswers(NO_SERVICE, () => 0);
    const question = counting('a');
    answers.askAhead(question);
    expect(await answers.ask(question, signal)).toEqual({ data: 1 });
    expect(await answers.ask(question, signal)).toEqual({ data: 2 });
  });
  it('ahead and in vain is told to whoever asks for it, and harms nobody else', async () => {
    const answers = createAnswers(NO_SERVICE, () => 0);
    answers.askAhead(failing('a'));
    await expect(answers.ask(failing('a'), signal)).rejects.toThrow('no');
    answers.askAhead(failing('b'));
    expect(await answers.ask(counting('c'), signal)).toEqual({ data: 1 });
  });
  it.each<[string, () => Promise<Counted>]>([
    ['an error of another kind', () => Promise.reject(new TypeError('no'))],
    [
      'a text thrown at once',
      () => {
        AbortSignal.abort('no').throwIfAborted();
        return counting('a').load(NO_SERVICE, signal);
      },
    ],
    ['nothing', () => Promise.resolve(undefined as unknown as Counted)],
  ])('and fails with %s rejects with a problem that can be told', async (_what, load) => {
    const answers = createAnswers(NO_SERVICE, () => 0);
    const question = { key: 'a', load };
    await expect(answers.ask(question, signal)).rejects.toMatchObject({ code: 'other', status: 0, url: '' });
    answers.askAhead(question);
    await expect(answers.ask(question, signal)).rejects.toBeInstanceOf(MokurokuError);
    expect(answers.known(question)).toBeUndefined();
  });
  it('is forgotten oldest first when there is much of it', async () => {
    const answers = createAnswers(NO_SERVICE, () => 0);
    const all = Array.from({ length: 201 }, (_, number) => counting(String(number)));
    for (const question of all) await answers.ask(question, signal);
    expect(all.map((question) => answers.known(question) !== undefined)).toEqual(
      all.map((_, place) => place > 0),
    );
  });
  it('that came in another way is remembered too', () => {
    const answers = createAnswers(NO_SERVICE, () => 0);
    answers.keep(counting('a'), { data: 7 } as Counted);
    expect(answers.known(counting('a'))).toEqual({ data: 7 });
  });
});

describe('room for what nobody has pressed a key for', () => {
  const left = (remaining: number | undefined): Question<Answered> => ({
    key: `${remaining}`,
    load: () => Promise.resolve({ response: { remaining } } as Answered),
  });
  it('is there while twenty requests are left, or nobody counts; an answer that comes late brings none back', async () => {
    const answers = createAnswers(NO_SERVICE, () => 0);
    const seen: boolean[] = [answers.hasRoom()];
    for (const remaining of [undefined, 20, 19, undefined, 20]) {
      await answers.ask(left(remaining), signal);
      seen.push(answers.hasRoom());
    }
    expect(seen).toEqual([true, true, true, false, false, false]);
  });
  it('is looked for again after 20 seconds, and lost by a refusal too', async () => {
    let now = 0;
    const answers = createAnswers(NO_SERVICE, () => now);
    const response = { remaining: 0 } as ResponseFacts;
    const error = new MokurokuError({ code: 'rate_limited', message: '', url: '', response });
    await answers.ask({ key: 'a', load: () => Promise.reject(error) }, signal).catch(() => undefined);
    now = 19_999;
    expect(answers.hasRoom()).toBe(false);
    now = 20_000;
    expect(answers.hasRoom()).toBe(true);
  });
});
