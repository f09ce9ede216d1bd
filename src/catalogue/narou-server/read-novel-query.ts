import { isOrder, NOVEL18API_ORDERS, NOVELAPI_ORDERS } from '../novels/orders.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import type { NovelFlag, NovelQuery, Range, TextTarget } from '../index/novel-query.ts';
import type { NovelOrder } from '../index/novel-orders.ts';
import { createFilterReader, type FilterReader, type Parameters, UpstreamError } from './parameters.ts';
import type { NarouServerSwitches } from './switches.ts';
import { readWhen } from './when.ts';

const TARGETS: readonly TextTarget[] = ['title', 'ex', 'keyword', 'wname'];
const FLAGS: readonly NovelFlag[] = ['isr15', 'isbl', 'isgl', 'iszankoku', 'istensei', 'istenni'];
const NOVELAPI_ONLY = 'userid genre notgenre biggenre notbiggenre isr15 notr15'.split(' ');

const readOrder = (
  source: NovelInterface,
  parameters: Parameters,
  switches: NarouServerSwitches,
): NovelOrder => {
  const text = parameters.get('order') ?? 'new';
  if (source === 'novelapi' ? isOrder(NOVELAPI_ORDERS, text) : isOrder(NOVEL18API_ORDERS, text)) {
    return text as NovelOrder;
  }
  if (switches.unknownOrder === 'error') throw new UpstreamError('Error: Invalid order.');
  return 'new';
};

const readSpan = (read: FilterReader, name: string, now: number): Range | undefined => {
  const text = read.text(name);
  const span = text === undefined ? undefined : readWhen(text, now);
  if (text !== undefined && span === undefined) read.refuse(name);
  return span;
};

/** Filters that both interfaces have. */
const readCommon = (read: FilterReader, now: number): NovelQuery => ({
  word: read.text('word'),
  notword: read.text('notword'),
  targets: TARGETS.filter((target) => read.flag(target)),
  ncodes: read.texts('ncode')?.map((ncode) => ncode.toUpperCase()),
  otherWorld: read.flag('istt'),
  length: read.range('length', 'minlen', 'maxlen'),
  time: read.range('time', 'mintime', 'maxtime'),
  kaiwaritu: read.range('kaiwaritu'),
  sasie: read.range('sasie'),
  kind: read.oneOf('type', ['t', 'r', 'er', 're', 'ter']),
  buntai: read.numbers('buntai'),
  stop: read.oneOf('stop', ['1', '2']),
  lastup: readSpan(read, 'lastup', now),
  lastupdate: readSpan(read, 'lastupdate', now),
  pickup: read.flag('ispickup'),
});

const readFlags = (read: FilterReader, flags: readonly NovelFlag[]): NovelQuery => ({
  withFlags: flags.filter((flag) => read.flag(flag)),
  withoutFlags: flags.filter((flag) => read.flag(flag.replace(/^is/, 'not'))),
});

const readNovelapiOnly = (read: FilterReader): NovelQuery => ({
  userids: read.numbers('userid'),
  genres: read.numbers('genre'),
  notGenres: read.numbers('notgenre'),
  biggenres: read.numbers('biggenre'),
  notBiggenres: read.numbers('notbiggenre'),
});

const readNovel18apiOnly = (read: FilterReader): NovelQuery => ({
  nocgenres: read.numbers('nocgenre'),
  notNocgenres: read.numbers('notnocgenre'),
  xids: read.texts('xid')?.map((xid) => xid.toLowerCase()),
});

/**
 * Reads the filters and the order of a search. `now` (milliseconds UTC) is for `lastup` and its like. What an
 * interface does not know is ignored, or refused where a switch says so.
 */
export function readNovelQuery(
  source: NovelInterface,
  parameters: Parameters,
  switches: NarouServerSwitches,
  now: number,
): NovelQuery {
  const adult = source === 'novel18api';
  if (adult && switches.adultForeignFilters === 'error') {
    const foreign = NOVELAPI_ONLY.find((name) => parameters.has(name));
    if (foreign !== undefined) throw new UpstreamError(`Error: Invalid parameter ${foreign}.`);
  }
  const read = createFilterReader(parameters, switches);
  return {
    ...readCommon(read, now),
    ...readFlags(read, adult ? FLAGS.filter((flag) => flag !== 'isr15') : FLAGS),
    ...(adult ? readNovel18apiOnly(read) : readNovelapiOnly(read)),
    firstup: switches.firstupFilter === 'works' ? readSpan(read, 'firstup', now) : undefined,
    order: readOrder(source, parameters, switches),
  };
}
