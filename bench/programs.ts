import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** The Node that runs every server of a bench: BENCH_NODE, or the one that runs the bench. */
export const NODE = process.env['BENCH_NODE'] || process.execPath;

/** For the first line of a bench: results of different releases must not be mixed up. */
export function nodeVersion(): string {
  return `Node ${spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout.trim()}`;
}

/** Servers share processor 0; the load generator has processor 1. So each server is measured on one core. */
export const onServerCore = ['taskset', '-c', '0'];
export const onClientCore = ['taskset', '-c', '1'];

/** Moves all threads of a process to one processor, for a bench that generates its own load. */
export function moveToCore(pid: number, core: number): void {
  spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)]);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  });
}

/** Programs started by a bench; they all stop with it. */
export class Programs {
  readonly #children: ChildProcess[] = [];

  start(command: readonly string[], env: Record<string, string> = {}) {
    const [program = '', ...rest] = command;
    const child = spawn(program, rest, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.push(child);
    child.stderr.resume();
    return child;
  }

  /** Discards the output in /dev/null, so that this process need not read it while wrk blocks it. */
  startDiscardingOutput(command: readonly string[], env: Record<string, string> = {}): ChildProcess {
    const [program = '', ...rest] = command;
    const child = spawn(program, rest, { env: { ...process.env, ...env }, stdio: 'ignore' });
    this.#children.push(child);
    return child;
  }

  /** Starts a program and resolves with the first match of `pattern` in its output, within 20 s. */
  async startUntil(command: readonly string[], pattern: RegExp, env: Record<string, string> = {}) {
    const child = this.start(command, env);
    let printed = '';
    const match = await new Promise<RegExpExecArray>((resolve, reject) => {
      const giveUp = setTimeout(() => {
        reject(new Error(`${command.join(' ')} did not print ${String(pattern)}:\n${printed}`));
      }, 20_000);
      const look = (chunk: Buffer) => {
        printed += chunk.toString();
        const result = pattern.exec(printed);
        if (!result) return;
        clearTimeout(giveUp);
        // Later output is read and discarded: the program must not wait for a reader of its log.
        child.stdout.off('data', look).resume();
        child.stderr.off('data', look).resume();
        resolve(result);
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.once('exit', (code) => {
        reject(new Error(`${command.join(' ')} ended with ${code ?? 'a signal'}:\n${printed}`));
      });
    });
    return { child, match };
  }

  async end(): Promise<void> {
    await Promise.all(
      this.#children.map(
        (child) =>
          new Promise<void>((resolve) => {
            if (child.exitCode !== null || child.signalCode !== null) {
              resolve();
              return;
            }
            child.once('exit', () => {
              resolve();
            });
            child.kill('SIGTERM');
            setTimeout(() => child.kill('SIGKILL'), 3_000).unref();
          }),
      ),
    );
  }
}

/** Seconds of processor time used by a process (Linux counts in hundredths). */
export function processorSeconds(pid: number): number {
  // The name before `)` may contain anything. After it, the 12th and 13th fields are user and system time.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export interface Load {
  perSecond: number;
  requests: number;
}

/** Runs wrk against a URL. Fails if a response was not 2xx or 3xx. */
export function wrk(
  url: string,
  options: { seconds: number; connections: number; headers?: Record<string, string> },
): Load {
  const headers = Object.entries(options.headers ?? {}).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ]);
  const [program = '', ...rest] = [
    ...onClientCore,
    ...['wrk', '-t1', `-c${options.connections}`, `-d${options.seconds}s`, ...headers, url],
  ];
  const run = spawnSync(program, rest, { encoding: 'utf8' });
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(run.stdout);
  if (!rate || /Non-2xx|Socket errors/.test(run.stdout)) {
    throw new Error(`wrk ${url}:\n${run.stdout}\n${run.stderr}`);
  }
  return { perSecond: Number(rate[1]), requests: Number(/(\d+) requests in/.exec(run.stdout)?.[1]) };
}
