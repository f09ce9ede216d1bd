import { expect, it } from 'vitest';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import { runCommandLine } from './run-command-line.ts';

const listeners = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

it('no service remains if one of them cannot start, so that the process ends', async () => {
  const environment = { REGISTRATION_SOURCE: 'live', RDAP_BOOTSTRAP: '/missing/dns.json' };
  const terminal = recordingTerminal({ environment });
  const before = listeners();
  expect(await runCommandLine(['mcp'], terminal)).toBe(2);
  expect(terminal.written().err).toContain('RDAP_BOOTSTRAP="/missing/dns.json"');
  expect(listeners()).toBe(before);
});
