import { expect, it } from 'vitest';
import { upstreamScope } from './upstream-settings.ts';

it('counts and cached responses of an upstream are those of its host, port and path', () => {
  const addresses = [
    'https://api.syosetu.com',
    'http://127.0.0.1:3002',
    'http://127.0.0.1/a',
    'http://127.0.0.1/b',
  ];
  expect(addresses.map(upstreamScope)).toEqual([
    'catalogue:api.syosetu.com',
    'catalogue:127.0.0.1:3002',
    'catalogue:127.0.0.1/a',
    'catalogue:127.0.0.1/b',
  ]);
  expect(upstreamScope('https://api.syosetu.com/')).toBe('catalogue:api.syosetu.com');
});
