import { startSampleServices } from '../../../../test/sample-services.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { runRecorded } from './recording-terminal.ts';

/** Both services on the sample, and the command line that queries them. */
export function commandOnSample() {
  let close = (): Promise<unknown> => Promise.resolve();
  let environment: Record<string, string> = {};

  const run = (line: string | string[], of: Partial<Terminal> = {}) =>
    runRecorded(typeof line === 'string' ? line.split(' ') : line, { environment, ...of });

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
    registrationUrl: () => environment['MOKUROKU_REGISTRATION_URL'] ?? '',
    catalogueUrl: () => environment['MOKUROKU_CATALOGUE_URL'] ?? '',
    /** A novel that rankings contain. */
    someNcode: async (): Promise<string> => {
      const { out } = await run('ranking daily --lim 1 --raw --csv');
      return out.split('\r\n')[1]?.split(',')[3] ?? '';
    },
  };
}
