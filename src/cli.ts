#!/usr/bin/env node
import { runCommandLine } from './cli/run-command-line.ts';
import { processTerminal } from './cli/terminal.ts';
import { exitWithoutTerminal } from './process/lost-terminal.ts';

exitWithoutTerminal();
process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
