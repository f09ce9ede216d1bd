#!/usr/bin/env node
import { isatty } from 'node:tty';
import { EXIT } from './cli/exit-codes.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import { processTerminal } from './cli/terminal.ts';

/**
 * Lets the process exit after its terminal was closed. Node resets its terminals at exit; if that fails, it crashes in
 * a loop, and an orphan occupies a core for ever (seen in Node 20.20). So the process is killed instead.
 */
function exitWithoutTerminal(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  process.once('exit', () => {
    if (terminals.some((descriptor) => !isatty(descriptor))) process.kill(process.pid, 'SIGKILL');
  });
}

exitWithoutTerminal();
process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
// Output that nobody reads would keep an interrupted process for ever.
if (process.exitCode === EXIT.interrupted) setTimeout(() => process.exit(), 1_000).unref();
