import { expect, it } from 'vitest';
import { exitCodeOf } from './exit-codes.ts';

it.each([
  ['not_found', 404, 3],
  ['invalid_parameter', 400, 2],
  ['uri_too_long', 414, 2],
  ['rate_limited', 429, 5],
  ['registry_rate_limited', 503, 5],
  ['upstream_unavailable', 503, 4],
  ['not_available_here', 501, 4],
  ['unreachable', 0, 4],
  // A 200 without JSON comes from another program; a proxy in front of a stopped service sends a 5xx.
  ['not_json', 200, 1],
  ['not_json', 404, 1],
  ['not_json', 499, 1],
  ['not_json', 500, 4],
  ['not_json', 502, 4],
  ['internal', 500, 1],
])('%s with status %i ends the command with %i', (code, status, exitCode) => {
  expect(exitCodeOf({ code, status })).toBe(exitCode);
});
