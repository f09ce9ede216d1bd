import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export const CLI = join(import.meta.dirname, '../../packages/mokuroku/dist/cli.js');

export interface RunningProgram {
  child: ChildProcess;
  /** Everything printed so far. */
  printed: () => string;
  /** The exit code, once all output is read; null after a signal. */
  ended: Promise<number | null>;
  /** Sends the signal; resolves with the exit code and the time taken, in milliseconds. */
  end: (signal: NodeJS.Signals) => Promise<{ code: number | null; tookMs: number }>;
}

/** With it, programs run at the instant of the tests (faketime). */
const INSTANT = Object.entries(process.env).filter(
  ([name]) => name === 'LD_PRELOAD' || name.startsWith('FAKETIME'),
);

/** Starts a program whose environment has PATH and what is given. */
export function startProgram(
  command: string,
  args: readonly string[],
  { env, ...options }: SpawnOptions = {},
): RunningProgram {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...Object.fromEntries(INSTANT), ...env },
    ...options,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    printed: () => printed,
    ended,
    end: async (signal) => {
      const from = performance.now();
      child.kill(signal);
      return { code: await ended, tookMs: performance.now() - from };
    },
  };
}

/** Starts `mokuroku` with these arguments. */
export const startMokuroku = (args: readonly string[], env: NodeJS.ProcessEnv, options: SpawnOptions = {}) =>
  startProgram(process.execPath, [CLI, ...args], { env, ...options });

/** Ends the program when the test ends. */
export function endWithTest<Program extends RunningProgram>(
  program: Program,
  signal: NodeJS.Signals = 'SIGKILL',
): Program {
  onTestFinished(async () => void (await program.end(signal)));
  return program;
}

export interface RunningCommand extends RunningProgram {
  catalogue: string;
  registration: string;
}

/**
 * `mokuroku serve` as its own process, on free ports and the sample unless `environment` says otherwise. `command` runs
 * another `mokuroku`, or in another way.
 */
export async function startServe(
  environment: Record<string, string> = {},
  args: readonly string[] = [],
  [program, ...before]: readonly [string, ...string[]] = [process.execPath, CLI],
): Promise<RunningCommand> {
  const running = startProgram(program, [...before, 'serve', ...args], {
    env: {
      // The setting of npm start, the container and the systemd unit.
      NODE_OPTIONS: '--max-semi-space-size=4',
      CATALOGUE_PORT: '0',
      REGISTRATION_PORT: '0',
      ...environment,
    },
  });
  const { child, printed, ended } = running;
  const addressOf = (service: string) => new RegExp(`^${service}\\s+(http://\\S+)`, 'm').exec(printed())?.[1];
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [catalogue, registration] = [addressOf('catalogue'), addressOf('registration')];
      if (catalogue !== undefined && registration !== undefined)
        resolve({ ...running, catalogue, registration });
    });
    void ended.then((code) => {
      reject(new Error(`serve ended with ${String(code)}:\n${printed()}`));
    });
  });
}

/** Memory of the service's process. */
export const residentMib = ({ child }: RunningProgram): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8'))?.[1]) / 1024;

/** Polls until it is so; the timeout of the test or hook bounds it. */
export async function until(isSo: () => Promise<boolean> | boolean, everyMs = 20): Promise<void> {
  while (!(await isSo())) await wait(everyMs);
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** `startServe` until the test ends. */
export const serve = async (...options: Parameters<typeof startServe>): Promise<RunningCommand> =>
  endWithTest(await startServe(...options));
