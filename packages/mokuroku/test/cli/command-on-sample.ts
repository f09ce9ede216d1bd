import { startSampleServices } from '../../../../test/sample-services.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { recordingTerminal } from './recording-terminal.ts';

/** Both services on the sample, and the command line that queries them. */
export function commandOnSample() {
  let close = (): Promise<unknown> => Promise.resolve();
  let environment: Record<string, string> = {};

  async function run(line: string | string[], of: Partial<Terminal> = {}) {
    const terminal = recordingTerminal({ environment, ...of });
    const code = await runCommandLine(typeof line === 'string' ? line.split(' ') : line, terminal);
    return { code, ...terminal.written(), opened: terminal.opened };
  }

  return {
    run,
    open: async (): Promise<void> => {
      const services = await startSampleServices();
      environment = {
        MOKUROKU_CATALOGUE_URL: services.catalogue.address,
        MOKUROKU_REGISTRATION_URL: services.registration.address,
      };
      close = services.close;
    },
    close: () => close(),
    /** A novel that rankings contain. */
    someNcode: async (): Promise<string> => {
      const { out } = await run('ranking daily --lim 1 --raw --csv');
      return out.split('\r\n')[1]?.split(',')[2] ?? '';
    },
  };
}
