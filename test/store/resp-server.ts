import net from 'node:net';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { TestContext } from 'vitest';

/** A command's reply as sent (RESP 2); undefined: none. */
export type RespReply = (words: readonly string[], socket: Socket) => string | undefined;

export interface RespServer {
  port: number;
  /** Every received command except the handshake's. */
  commands: string[][];
  sockets: Set<Socket>;
  /** Connections so far. */
  connections: number;
}

const HANDSHAKE: ReadonlySet<string> = new Set(['info', 'client', 'hello']);
const OK = '+OK\r\n';

export const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

/** Replies of a store that has nothing but `get` and `set`. */
export function storingReplies(values = new Map<string, string>()): RespReply {
  return ([name = '', key = '', value = '']) => {
    const stored = values.get(key);
    switch (name) {
      case 'set':
        values.set(key, value);
        return OK;
      case 'get':
        return stored === undefined ? '$-1\r\n' : `$${stored.length}\r\n${stored}\r\n`;
      default:
        return '-ERR unknown command\r\n';
    }
  };
}

/** The complete commands at the start of the buffer, and the rest. */
function readCommands(text: string): { commands: string[][]; rest: string } {
  const commands: string[][] = [];
  let at = 0;
  for (;;) {
    const head = /^\*(\d+)\r\n/.exec(text.slice(at));
    if (!head) return { commands, rest: text.slice(at) };
    let next = at + head[0].length;
    const words: string[] = [];
    for (let i = 0; i < Number(head[1]); i++) {
      const size = /^\$(\d+)\r\n/.exec(text.slice(next));
      if (!size) return { commands, rest: text.slice(at) };
      const begin = next + size[0].length;
      const end = begin + Number(size[1]);
      if (end + 2 > text.length) return { commands, rest: text.slice(at) };
      words.push(text.slice(begin, end));
      next = end + 2;
    }
    commands.push(words);
    at = next;
  }
}

/** Of a test: Vitest knows that of a concurrent one by its context alone. */
export type TestEnd = Pick<TestContext, 'onTestFinished'>;

/**
 * A server on loopback, or on a Unix socket. It implements the part of Redis that a connection needs, and sends
 * scripted replies to everything else. `info`: the reply to INFO, which a client waits for.
 */
export async function startRespServer(
  reply: RespReply = () => OK,
  path?: string,
  info: () => string | undefined = () => bulk('redis_version:7.0.0\r\nloading:0\r\n'),
  test: TestEnd = { onTestFinished },
): Promise<RespServer> {
  const server: RespServer = { port: 0, commands: [], sockets: new Set(), connections: 0 };
  const listener = net.createServer((socket) => {
    server.connections++;
    server.sockets.add(socket);
    let pending = '';
    socket.on('error', () => undefined);
    socket.on('close', () => server.sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      const { commands, rest } = readCommands(pending + chunk.toString('latin1'));
      pending = rest;
      for (const words of commands) {
        const name = words[0]?.toLowerCase() ?? '';
        if (!HANDSHAKE.has(name)) server.commands.push(words);
        const answer = name === 'info' ? info() : HANDSHAKE.has(name) ? OK : reply(words, socket);
        if (answer !== undefined) socket.write(answer, 'latin1');
      }
    });
  });
  await new Promise<void>((resolve) =>
    path === undefined ? listener.listen(0, '127.0.0.1', resolve) : listener.listen(path, resolve),
  );
  if (path === undefined) server.port = (listener.address() as net.AddressInfo).port;
  test.onTestFinished(async () => {
    for (const socket of server.sockets) socket.destroy();
    await new Promise((resolve) => listener.close(resolve));
  });
  return server;
}
