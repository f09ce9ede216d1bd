import { writeFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { startProgram, until } from './running-service.ts';
import type { RunningProgram } from './running-service.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface RunningRedis {
  port: number;
  url: string;
  process: () => ChildProcess;
  /** SIGKILL, as a crash; resolves when the process is gone. */
  kill: () => Promise<unknown>;
  /** Starts it again on the same port, empty. */
  restart: () => Promise<void>;
}

export async function send<T>(port: number, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}

/** True once the server replies anything, even that it needs a password. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (reply) => {
      resolve(!reply.toString().includes('LOADING'));
      socket.destroy();
    });
    socket.once('error', () => {
      resolve(false);
    });
  });

/** A redis-server on a free port, without persistence unless `settings` say so. */
export async function startRedis(
  settings: readonly string[] = [],
  isSentinel = false,
): Promise<RunningRedis> {
  const port = await freePort();
  const directory = temporaryFolder();
  const file = join(directory, 'redis.conf');
  let server: RunningProgram;

  async function start(): Promise<void> {
    const lines = [`port ${port}`, 'bind 127.0.0.1', `dir ${directory}`, ...settings];
    writeFileSync(file, [...lines, ...(isSentinel ? [] : ['save ""', 'appendonly no'])].join('\n'));
    server = startProgram('redis-server', [file, ...(isSentinel ? ['--sentinel'] : [])]);
    await until(() => {
      if (server.child.exitCode !== null) throw new Error(`redis-server does not start: ${server.printed()}`);
      return answers(port);
    });
  }

  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    process: () => server.child,
    kill: () => server.end('SIGKILL'),
    restart: start,
  };
}
