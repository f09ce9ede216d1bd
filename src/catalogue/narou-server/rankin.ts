import { parseNcode } from '../novels/ncode.ts';
import { UpstreamError } from './protocol.ts';
import type { Interface } from './protocol.ts';
import { isStored, readRtype } from './rankget.ts';

const notFound = (): UpstreamError => new UpstreamError('Error: Novel not found.');

/** The ranking history interface: `pt`, `rank`, `rtype`, sorted by `rtype`. Adult novels are not in it. */
export const rankin: Interface = (request) => {
  const { parameters, catalogue, switches } = request;
  const ncode = parseNcode(parameters.get('ncode') ?? '');
  const history = ncode === null ? null : catalogue.rankingHistory(ncode);
  const stored = history?.filter(({ rtype }) => isStored(readRtype(rtype).day, request));
  if (stored === undefined) throw notFound();
  if (stored.length === 0 && switches.neverRanked === 'error') throw notFound();
  return stored.map(({ pt, rank, rtype }) => ({ pt, rank, rtype }));
};
