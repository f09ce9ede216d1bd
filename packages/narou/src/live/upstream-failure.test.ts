import { expect, it, onTestFinished } from 'vitest';
import { plain } from '../../../../test/catalogue/loopback-upstream.ts';
import type { UpstreamHandler } from '../../../../test/catalogue/loopback-upstream.ts';
import { freePort } from '../../../../test/free-port.ts';
import { failureOf, startAnsweredSource, testTransport } from '../../test/narou-test-source.ts';
import { connectionFailure } from './upstream-failure.ts';

const PAGE = '<!doctype html><p>busy';

it.each<[string, UpstreamHandler, string]>([
  ['a page instead of data', plain(PAGE), 'upstream_unavailable'],
  ['a page that says that there is nothing', plain(PAGE, 404), 'upstream_invalid'],
  ['a page to which it redirects', plain(PAGE, 302, { location: '/' }), 'upstream_invalid'],
  ['headers of 20 kB', plain('[]', 200, { note: 'x'.repeat(20_000) }), 'upstream_invalid'],
])('an upstream that sends %s fails as its kind', async (_what, answer, code) => {
  const { transport } = await startAnsweredSource(answer);
  expect(await failureOf(transport.get('/a/', ''))).toMatchObject({ code });
});

it('an upstream that restarts, and refuses connections meanwhile, may be asked again', async () => {
  const transport = testTransport(`http://127.0.0.1:${await freePort()}`);
  onTestFinished(() => transport.close());
  const failure = { code: 'upstream_unavailable', isTemporary: true };
  expect(await failureOf(transport.get('/a/', ''))).toMatchObject(failure);
});

// Undici's own limit for a connection is ten seconds, the system's two minutes.
it.each(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])(
  'a connection that takes too long (%s) is a timeout, also before the deadline',
  (code) => {
    const error = Object.assign(new Error('connect'), { code });
    expect(connectionFailure(error, false).code).toBe('upstream_timeout');
  },
);
