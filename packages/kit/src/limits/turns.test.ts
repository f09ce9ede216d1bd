import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

const never = new AbortController().signal;

it('is not lost if its caller is aborted just when it comes', async () => {
  const turns = new Turns(1);
  await turns.enter(never);
  const controller = new AbortController();
  const second = turns.enter(controller.signal, '192.0.2.1');
  const third = turns.enter(never, '192.0.2.1');
  turns.leave();
  controller.abort('enough');
  expect(await second).toBe(true);
  turns.leave();
  expect(await third).toBe(true);
  turns.leave();
  expect([turns.running, turns.waiting]).toEqual([0, 0]);
});

it('forgets a caller that is aborted while it waits, and starts none that is aborted', async () => {
  const turns = new Turns(1, 1);
  await turns.enter(never);
  const controller = new AbortController();
  const waiting = turns.enter(controller.signal);
  expect([turns.waiting, await turns.enter(never)]).toEqual([1, false]);
  controller.abort('enough');
  await expect(waiting).rejects.toBe('enough');
  expect(turns.waiting).toBe(0);
  turns.leave();
  await expect(turns.enter(controller.signal)).rejects.toBe('enough');
  expect(turns.running).toBe(0);
});

it('comes to a network that waits, although others come all the time, and leaves no listener', async () => {
  const { signal } = new AbortController();
  const turns = new Turns(1);
  await turns.enter(signal);
  const started: string[] = [];
  const come = (client: string) => void turns.enter(signal, client).then(() => started.push(client));
  for (let time = 0; time < 3; time++) come('192.0.2.1');
  for (let network = 0; network < 9; network++) {
    come(`198.51.${network}.1`);
    turns.leave();
    await new Promise(setImmediate);
  }
  expect(started.filter((client) => client === '192.0.2.1')).toHaveLength(3);
  for (let time = 0; time < 3; time++) turns.leave();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('says how many start before a client: those of its network, and as many of each other one', async () => {
  const turns = new Turns(1);
  await turns.enter(never);
  for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '198.51.100.1', '198.51.100.1'])
    void turns.enter(never, client);
  expect(['192.0.2.3', '198.51.100.2', '203.0.113.1'].map((client) => turns.aheadOf(client))).toEqual([
    5, 5, 2,
  ]);
});
