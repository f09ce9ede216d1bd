import { expect, it } from 'vitest';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import { runCommandLine } from './run-command-line.ts';

it('every bad setting of the process and of both services is named at once, each once', async () => {
  const bad = {
    WORKERS: 'many',
    RATE_LIMIT: '-1',
    CATALOGUE_SOURCE: 'other',
    CATALOGUE_PORT: '70000',
    STORE_URL: 'redis://:secret@',
    REGISTRATION_SOURCE: 'other',
    LOOKUP_TIMEOUT_MS: '0',
  };
  const terminal = recordingTerminal({ environment: bad });
  expect(await runCommandLine(['serve'], terminal)).toBe(2);
  const { err } = terminal.written();
  for (const name of Object.keys(bad)) expect(err.split(`- ${name}=`)).toHaveLength(2);
  expect(err).not.toContain('secret');
});
