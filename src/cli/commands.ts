import type { Command } from './command.ts';

/** What each command does, in the order of the help; the code is loaded when it is run. */
export const COMMANDS: Readonly<Record<string, { summary: string; load: () => Promise<Command> }>> = {
  serve: {
    summary: 'Run both services, on the embedded sample or (--live) on the live upstreams.',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
};
