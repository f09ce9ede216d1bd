import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connected, getThing, pendingLoads } from './raw-connection.ts';
import { startThings } from './things-service.ts';
import type { WrittenForm } from '../../packages/kit/src/http/endpoint.ts';

/** The turns of the event loop in which something began, until the test ends. */
function countTurns() {
  const turns: number[] = [];
  let turn = 0;
  let timer = setImmediate(function tick() {
    turn++;
    timer = setImmediate(tick);
  });
  onTestFinished(() => clearImmediate(timer));
  return { turns, note: () => void turns.push(turn) };
}

/** A request of a network with 99 clients, or the only one of another. */
const getFrom = (index: number): string => {
  const from = index < 99 ? `192.0.2.${index}` : '198.51.100.1';
  return `GET /things/${index} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${from}\r\n\r\n`;
};

describe('simultaneous work', () => {
  it('of networks begins in turn, one load in a turn of the event loop', async () => {
    const { load, names, releaseAll } = pendingLoads();
    const { turns, note } = countTurns();
    const { base } = await startThings((...call) => (note(), load(...call)), {
      trustedProxies: ['127.0.0.1'],
    });
    const sockets = await Promise.all(Array.from({ length: 100 }, () => connected(base)));
    for (const [index, socket] of sockets.entries()) socket.write(getFrom(index));
    await expect.poll(() => names).toHaveLength(100);
    expect(new Set(turns).size).toBe(100);
    // Once the connections are there, none waits for them.
    expect((turns.at(-1) ?? 0) - (turns[0] ?? 0)).toBeLessThan(2_000);
    expect(names.indexOf('99')).toBeLessThan(10);
    releaseAll();
    for (const socket of sockets) socket.destroy();
  });

  it('of streams begins in turn, each part in one of its own', async () => {
    const { turns, note } = countTurns();
    const { base, connections } = await startThings(undefined, { onStream: note });
    const sockets = await Promise.all(Array.from({ length: 50 }, () => connected(base)));
    // Node accepts one a turn.
    await expect.poll(() => connections().open).toBe(50);
    for (const socket of sockets) socket.write('GET /lines HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => turns).toHaveLength(50);
    expect(new Set(turns).size).toBe(50);
    for (const socket of sockets) socket.destroy();
  });

  it('of one stream gives each line a turn of its own, however fast they come', async () => {
    const { turns, note } = countTurns();
    async function* lines() {
      for (let count = 0; count < 50; count++) {
        note();
        yield await Promise.resolve('x\n');
      }
    }
    const { get } = await startThings(undefined, { lines });
    expect((await get('/lines')).text).toBe('x\n'.repeat(50));
    expect(new Set(turns).size).toBe(50);
  });

  it('of many new connections lets the last of them have a response from memory before', async () => {
    const { base, warm, loaded } = await startThings(() => Promise.resolve({ data: 1 }));
    await warm();
    const sockets: Socket[] = [];
    for (const round of [1, 2]) {
      const before = loaded.length;
      const cold = await Promise.all(Array.from({ length: 200 }, () => connected(base)));
      for (const [index, socket] of cold.entries()) socket.write(getThing(`cold-${round}-${index}`));
      const last = await connected(base);
      last.write(getThing('one'));
      await once(last, 'data');
      expect(loaded.length).toBeLessThan(before + 20);
      await expect.poll(() => loaded).toHaveLength(before + 200);
      sockets.push(...cold, last);
    }
    for (const socket of sockets) socket.destroy();
  });

  it('of networks continues in turn', async () => {
    const { load, names, releaseAll } = pendingLoads();
    const order: string[] = [];
    const loadInTurns: typeof load = async (name, context) => {
      const thing = await load(name, context);
      await context.nextTurn();
      order.push(name);
      return thing;
    };
    const { base } = await startThings(loadInTurns, { trustedProxies: ['127.0.0.1'] });
    const sockets = await Promise.all(Array.from({ length: 100 }, () => connected(base)));
    const last = sockets.pop()!;
    for (const [index, socket] of sockets.entries()) socket.write(getFrom(index));
    await expect.poll(() => names).toHaveLength(99);
    last.write(getFrom(99));
    await expect.poll(() => names).toHaveLength(100);
    releaseAll();
    await expect.poll(() => order).toHaveLength(100);
    expect(order.indexOf('99')).toBeLessThan(10);
    for (const socket of [...sockets, last]) socket.destroy();
  });

  it('of a long text in another form is written in turns', async () => {
    const { turns, note } = countTurns();
    const form: WrittenForm = {
      name: 'text',
      contentType: 'text/plain',
      keyFor: () => 'text',
      *write() {
        for (const letter of ['a', 'b', 'c']) {
          note();
          yield letter.repeat(1_000_000);
        }
      },
    };
    const { get } = await startThings(() => Promise.resolve({ data: 1 }), { form });
    const { text } = await get('/things/one?format=text');
    // The first turn begins at once, in that of the request.
    expect(new Set(turns.slice(1)).size).toBe(2);
    expect(
      /^(a+)(b+)(c+)$/
        .exec(text)
        ?.slice(1)
        .map(({ length }) => length),
    ).toEqual([1e6, 1e6, 1e6]);
  });

  it('begins although connections come in all the time', async () => {
    const open: number[] = [];
    const { base, connections } = await startThings(() => {
      open.push(connections().open);
      return Promise.resolve({ data: 1 });
    });
    const sockets = await Promise.all(Array.from({ length: 350 }, () => connected(base)));
    for (const [index, socket] of sockets.entries()) socket.write(getThing(`${index}`));
    await expect.poll(() => open).toHaveLength(350);
    expect(open[1]).toBeGreaterThan(100);
    expect(open[1]).toBeLessThan(350);
    for (const socket of sockets) socket.destroy();
  });
});
