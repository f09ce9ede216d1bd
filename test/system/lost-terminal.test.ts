import { spawn } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { CLI } from './running-service.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** `mokuroku serve` in a terminal of its own; `close` closes the terminal, as a closed window does. */
async function startInTerminal(trap = '') {
  const command = `echo "pid $$"; ${trap} exec "${process.execPath}" "${CLI}" serve`;
  const terminal = spawn('script', ['-qc', command, '/dev/null'], {
    env: { PATH: process.env['PATH'], CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  cleanUps.push(() => terminal.kill('SIGKILL'));
  let printed = '';
  terminal.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const addresses = /^catalogue\s+http.*[^]*^registration\s+http/m;
  await expect.poll(() => addresses.test(printed)).toBe(true);
  const pid = Number(/^pid (\d+)/m.exec(printed)?.[1]);
  cleanUps.push(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
  const exited = new Promise((resolve) => terminal.once('exit', resolve));
  return { pid, close: () => (terminal.kill('SIGKILL'), exited) };
}

it('a service whose terminal is closed ends', async () => {
  const { pid, close } = await startInTerminal();
  expect(isRunning(pid)).toBe(true);
  await close();
  await expect.poll(() => isRunning(pid)).toBe(false);
});

it('a service that outlives its terminal ends when it is stopped', async () => {
  const { pid, close } = await startInTerminal('trap "" HUP;');
  await close();
  process.kill(pid, 'SIGTERM');
  await expect.poll(() => isRunning(pid)).toBe(false);
});
