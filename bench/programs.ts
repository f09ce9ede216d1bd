import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** The middle of some stats. */
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

/** For the first line of a bench: stats of different releases are not to be mixed up. */
export function nodeVersion(): string {
  return `Node ${spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout.trim()}`;
}

/** Servers share processor 0 and the load generator has processor 1, so that each server is measured on one core. */
export const onServerCore = ['taskset', '-c', '0'];
export const onClientCore = ['taskset', '-c', '1'];

/** For a bench that is its own load generator: all threads of a process, to one processor. */
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

/** Programs that a bench has started; all of them end with it. */
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

  /** What it prints goes to /dev/null: it is written, and nobody has to read it while wrk holds this process up. */
  startUnheard(command: readonly string[], env: Record<string, string> = {}): ChildProcess {
    const [program = '', ...rest] = command;
    const child = spawn(program, rest, { env: { ...process.env, ...env }, stdio: 'ignore' });
    this.#children.push(child);
    return child;
  }

  /** Starts and resolves with the first match of `pattern` in what it prints, within 20 s. */
  async startUntil(command: readonly string[], pattern: RegExp, env: Record<string, string> = {}) {
    const child = this.start(command, env);
    let printed = '';
    const match = await new Promise<RegExpExecArray>((resolve, reject) => {
      const giveUp = setTimeout(() => {
        reject(new Error(`${command.join(' ')} did not print ${String(pattern)}:\n${printed}`));
      }, 20_000);
      const look = (chunk: Buffer) => {
        printed += chunk.toString();
        const found = pattern.exec(printed);
        if (!found) return;
        clearTimeout(giveUp);
        // From here on what it prints is read and thrown away: the log must not cost the bench's own time.
        child.stdout.off('data', look).resume();
        child.stderr.off('data', look).resume();
        resolve(found);
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

/** Seconds of processor time that a process has used (Linux counts them in hundredths). */
export function processorSeconds(pid: number): number {
  // Behind the name, which may hold anything: the 12th and 13th field are user and system time.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export interface Load {
  perSecond: number;
  requests: number;
}

/** One run of wrk against a URL. Fails when an answer was not 2xx or 3xx. */
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
