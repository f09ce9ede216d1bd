import {
  dayOfDate,
  japanDay,
  japanMidnight,
  weekdayOfDay,
} from '../../packages/narou/src/novels/japan-date.ts';
import { parseNcode } from '../../packages/narou/src/novels/ncode.ts';
import { RANKING_LETTERS, RANKING_TYPES } from '../../packages/narou/src/novels/ranking-date.ts';
import type { RankingType } from '../../packages/narou/src/novels/ranking-date.ts';
import { UpstreamError } from './protocol.ts';
import type { Interface, InterfaceRequest, Row } from './protocol.ts';

const TUESDAY = 2;
const FIRST_DAY = dayOfDate('2013-05-01') ?? 0;
const HOUR_MS = 3_600_000;

const invalidDate = (): UpstreamError => new UpstreamError('Error: Invalid date.');

/** Parses `20240409-w`; the day of an `rtype` is the upstream's own, a Tuesday for weekly. */
const readRtype = (rtype: string): { type: RankingType; day: number } => {
  const [, year = '', month = '', date = '', letter = ''] =
    /^(\d{4})(\d\d)(\d\d)-([dwmq])$/.exec(rtype) ?? [];
  const type = RANKING_TYPES.find((each) => RANKING_LETTERS[each] === letter);
  const day = dayOfDate(`${year}-${month}-${date}`);
  if (type === undefined || day === null) throw invalidDate();
  if (type === 'weekly' && weekdayOfDay(day) !== TUESDAY) throw new UpstreamError('DATE ERROR[2]');
  if ((type === 'monthly' || type === 'quarterly') && date !== '01') throw new UpstreamError('DATE ERROR[1]');
  return { type, day };
};

const missing = (answer: 'empty' | 'error'): Row[] => {
  if (answer === 'error') throw invalidDate();
  return [];
};

/** Whether the ranking of a day is published: it is made from 04:00 on, at the hour of the switch. */
function isStored(day: number, { now, switches }: InterfaceRequest): boolean {
  return day < japanDay(now) || now >= japanMidnight(day) + switches.rankingReadyHour * HOUR_MS;
}

/** The ranking interface: 300 rows of `ncode`, `pt`, `rank`. */
export const rankget: Interface = (request) => {
  const { parameters, catalogue, switches } = request;
  const { type, day } = readRtype(parameters.get('rtype') ?? '');
  if (day < FIRST_DAY) return missing(switches.tooEarlyRanking);
  const rows = isStored(day, request) ? catalogue.ranking(type, day) : null;
  if (rows === null) return missing(switches.unpublishedRanking);
  return rows.map(({ ncode, pt, rank }) => ({ ncode, pt, rank }));
};

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
