import { expect, it } from 'vitest';
import { ServiceError } from '../errors.ts';
import { createLogger } from '../process/logger.ts';
import { TEST_ERRORS } from '../../test/test-errors.ts';

it('no log has the details of an error, which may be the text of a registry', () => {
  const lines: string[] = [];
  const { logger } = createLogger('test', 'debug', { write: (line: string) => lines.push(line) });
  const err = new ServiceError(TEST_ERRORS.not_registered, { details: { raw: 'Registrant: Hoshi Hana' } });
  logger.debug({ key: 'a', err, cause: new Error('x', { cause: err }) }, 'load failed');
  expect(lines.join()).toContain('not_registered');
  expect(lines.join()).not.toContain('Hoshi');
});
