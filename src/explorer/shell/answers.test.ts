import { describe, expect, it } from 'vitest';
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
    answers.forget('a');
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
  it('is forgotten oldest first when there is much of it', async () => {
    const answers = createAnswers(NO_SERVICE, () => 0);
    const all = Array.from({ length: 61 }, (_, number) => counting(String(number)));
    for (const question of all) await answers.ask(question, signal);
    expect(all.map((question) => answers.known(question) !== undefined)).toEqual(
      all.map((_, place) => place > 0),
    );
  });
});
