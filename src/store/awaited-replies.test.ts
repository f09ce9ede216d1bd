import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AwaitedReplies } from './awaited-replies.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watched(timeoutMs = 100) {
  const silences: string[] = [];
  const replies: AwaitedReplies = new AwaitedReplies(timeoutMs, (error) => {
    silences.push(error.message);
    replies.rejectAll(error);
  });
  return { replies, silences };
}

/** A command whose reply a test sends. */
function command(replies: AwaitedReplies) {
  let answer = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const reply = replies.track(given);
  reply.catch(() => undefined);
  return { answer, reply };
}

describe('replies of the store', () => {
  it('fail after the timeout, at most a quarter later, and not before it', async () => {
    const { replies, silences } = watched();
    const { reply } = command(replies);
    await vi.advanceTimersByTimeAsync(124);
    expect(silences).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(silences).toEqual(['no answer within 100 ms']);
    await expect(reply).rejects.toThrow('no answer');
    expect(replies.count).toBe(0);
  });

  it('may each be late as long as others keep arriving', async () => {
    const { replies, silences } = watched();
    command(replies);
    for (let i = 0; i < 3; i++) {
      const { answer } = command(replies);
      await vi.advanceTimersByTimeAsync(60);
      answer();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(silences).toEqual([]);
  });

  it('are awaited for at most twice the timeout, whatever else arrives', async () => {
    const { replies, silences } = watched();
    command(replies);
    for (let i = 0; i < 8; i++) {
      const { answer } = command(replies);
      await vi.advanceTimersByTimeAsync(25);
      answer();
      await vi.advanceTimersByTimeAsync(0);
    }
    await vi.advanceTimersByTimeAsync(24);
    expect(silences).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(silences).toHaveLength(1);
  });

  it('are awaited equally long after earlier commands', async () => {
    const { replies, silences } = watched();
    const first = command(replies);
    await vi.advanceTimersByTimeAsync(90);
    const second = command(replies);
    first.answer();
    await vi.advanceTimersByTimeAsync(110);
    expect(silences).toEqual([]);
    second.answer();
    await second.reply;
    replies.rejectAll(new Error('the end'));
  });

  it('are not missed while no command waits', async () => {
    const { replies, silences } = watched();
    const { answer, reply } = command(replies);
    answer();
    await reply;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(silences).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that arrived while this process was busy are read, however long it was', async () => {
    vi.useRealTimers();
    const { replies, silences } = watched(20);
    const reply = replies.track(stat('.'));
    const end = performance.now() + 300;
    while (performance.now() < end);
    expect((await reply).isDirectory()).toBe(true);
    expect(silences).toEqual([]);
    replies.rejectAll(new Error('the end'));
  });
});
