import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../free-port.ts';

export interface RunningRedis {
  port: number;
  url: string;
  process: () => ChildProcess;
  /** SIGKILL, as a crash; resolves when the process is gone. */
  kill: () => Promise<void>;
  /** Starts it again on the same port, empty. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
}

/** Polls until there is a response; a test's own timeout bounds it. */
export async function until(isSo: () => Promise<boolean> | boolean, everyMs = 20): Promise<void> {
  while (!(await isSo())) await wait(everyMs);
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
  { isSentinel = false }: { isSentinel?: boolean } = {},
): Promise<RunningRedis> {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'mokuroku-redis-'));
  const file = join(directory, 'redis.conf');
  let child: ChildProcess;

  async function start(): Promise<void> {
    const lines = [`port ${port}`, 'bind 127.0.0.1', `dir ${directory}`, ...settings];
    writeFileSync(file, [...lines, ...(isSentinel ? [] : ['save ""', 'appendonly no'])].join('\n'));
    child = spawn('redis-server', [file, ...(isSentinel ? ['--sentinel'] : [])], { stdio: 'ignore' });
    await until(() => {
      if (child.exitCode !== null) throw new Error(`redis-server exited at its start, port ${port}`);
      return answers(port);
    });
  }
  async function kill(): Promise<void> {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await gone;
  }

  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    process: () => child,
    kill,
    restart: start,
    close: async () => {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
