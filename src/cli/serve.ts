import { defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';

interface StartModule {
  start?: (environment: NodeJS.ProcessEnv) => Promise<unknown>;
}

async function startIfBuilt(file: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const url = new URL(file, import.meta.url);
  const module = (await import(url.href).catch(() => ({}))) as StartModule;
  await module.start?.(environment);
}

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Run both services, on the embedded sample or (--live) on the live upstreams.',
  args: {
    live: { type: 'boolean', description: 'Ask the live upstreams instead of the embedded sample.' },
  },
  examples: ['mokuroku serve', 'CATALOGUE_PORT=8080 mokuroku serve --live'],
  run: async (args, terminal) => {
    const environment = args.live
      ? { ...terminal.environment, CATALOGUE_SOURCE: 'narou', REGISTRATION_SOURCE: 'live' }
      : { ...terminal.environment };
    await startIfBuilt('../catalogue-main.js', environment);
    await startIfBuilt('../registration-main.js', environment);
    return EXIT.done;
  },
});
