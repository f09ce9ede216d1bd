import { expect, it } from 'vitest';
import { findProblem, problemKey } from './problems.ts';

const REGISTRY = { role: 'registry', outcome: 'unreachable' };
const ROOT = { ...REGISTRY, role: 'root' };

it.each([
  ['registry_rate_limited', { limitedBy: 'service' }, 'own_registry_limit'],
  ['registry_rate_limited', { limitedBy: 'registry' }, 'registry_rate_limited'],
  ['registry_rate_limited', undefined, 'registry_rate_limited'],
  // null: the registry refuses, and has no known website.
  ['registry_unavailable', { registryWebsite: null }, 'registry_refuses'],
  ['registry_unavailable', { registryWebsite: 'https://nic.test', raw: 'Denied' }, 'registry_refuses'],
  ['registry_unavailable', { raw: 'Lorem ipsum' }, 'registry_unreadable'],
  ['registry_unavailable', { hops: [] }, 'registry_unavailable'],
  ['registry_unavailable', { hops: [ROOT, REGISTRY, REGISTRY] }, 'offline'],
  ['registry_unavailable', { hops: [ROOT, REGISTRY] }, 'registry_unavailable'],
  // Of a hostile service.
  ['registry_unavailable', { hops: [null, null, null] }, 'registry_unavailable'],
  ['registry_unavailable', { hops: [REGISTRY, REGISTRY, REGISTRY] }, 'registry_unavailable'],
  [
    'registry_unavailable',
    { hops: [ROOT, REGISTRY, { ...REGISTRY, outcome: 'broken' }] },
    'registry_unavailable',
  ],
  ['no_registry_service', { registryWebsite: null }, 'no_registry_service'],
  ['not_registered', { raw: 'No match' }, 'not_registered'],
])('%s with %j has the texts of %s', (code, details, key) => {
  expect(problemKey({ code, details })).toBe(key);
  expect(findProblem(key)).toBeDefined();
});
