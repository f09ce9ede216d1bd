import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';

export const CLI = join(import.meta.dirname, '../../packages/mokuroku/dist/cli.js');

export interface RunningCommand {
  child: ChildProcess;
  catalogue: string;
  registration: string;
  /** Everything printed so far. */
  printed: () => string;
  /** Sends the signal; resolves with the exit code and the time taken, in milliseconds. */
  end: (signal: NodeJS.Signals) => Promise<{ code: number | null; tookMs: number }>;
}

/** Starts a command in a control group, so that Node sees its memory limit from the start, as in a container. */
const START_IN_GROUP = 'echo $$ > "$0/cgroup.procs" && exec "$@"';

/**
 * `mokuroku serve` as its own process, on free ports and the sample unless `environment` says otherwise; in a control
 * group if its folder is given.
 */
export async function startServe(
  environment: Record<string, string> = {},
  args: readonly string[] = [],
  cgroup?: string,
): Promise<RunningCommand> {
  const command = [process.execPath, CLI, 'serve', ...args];
  const [program = '', ...rest] =
    cgroup === undefined ? command : ['sh', '-c', START_IN_GROUP, cgroup, ...command];
  const child = spawn(program, rest, {
    env: {
      // The setting of npm start, the container and the systemd unit.
      NODE_OPTIONS: '--max-semi-space-size=4',
      PATH: process.env['PATH'] ?? '',
      CATALOGUE_PORT: '0',
      REGISTRATION_PORT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const addressOf = (service: string) => new RegExp(`^${service}\\s+(http://\\S+)`, 'm').exec(printed)?.[1];
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      resolve(code);
    });
  });
  await new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer) => {
      printed += chunk.toString();
      if (addressOf('catalogue') !== undefined && addressOf('registration') !== undefined) resolve();
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    void exited.then((code) => {
      reject(new Error(`serve ended with ${String(code)}:\n${printed}`));
    });
  });
  return {
    child,
    catalogue: addressOf('catalogue') ?? '',
    registration: addressOf('registration') ?? '',
    printed: () => printed,
    end: async (signal) => {
      const from = performance.now();
      child.kill(signal);
      const code = await exited;
      return { code, tookMs: performance.now() - from };
    },
  };
}
