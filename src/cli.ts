#!/usr/bin/env node
import { runCommandLine } from './cli/run-command-line.ts';
import { processTerminal } from './cli/terminal.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
