import { isOrder, NOVEL18API_ORDERS, NOVELAPI_ORDERS } from '../novels/orders.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import { NOT_FLAGS, NOVEL_FLAGS, TEXT_TARGETS, TIME_WORDS, WORK_TYPES } from '../novels/novel-query.ts';
import type { NovelConditions, When } from '../novels/novel-query.ts';
import type { NovelapiOrder } from '../novels/orders.ts';
import { createFilterReader, type FilterReader, type Parameters, UpstreamError } from './parameters.ts';
import type { NarouServerSwitches } from './switches.ts';

const NOVELAPI_ONLY = 'userid genre notgenre biggenre notbiggenre isr15 notr15'.split(' ');

const readOrder = (
  source: NovelInterface,
  parameters: Parameters,
  switches: NarouServerSwitches,
): NovelapiOrder => {
  const text = parameters.get('order') ?? 'new';
  if (source === 'novelapi' ? isOrder(NOVELAPI_ORDERS, text) : isOrder(NOVEL18API_ORDERS, text)) {
    return text as NovelapiOrder;
  }
  if (switches.unknownOrder === 'error') throw new UpstreamError('Error: Invalid order.');
  return 'new';
};

/** A word (`thisweek`), or two Unix times in seconds. */
const readWhen = (read: FilterReader, name: string): When | undefined => {
  const text = read.text(name);
  const word = TIME_WORDS.find((each) => each === text);
  if (text === undefined || word !== undefined) return word;
  const [, from, to] = /^(\d{1,11})-(\d{1,11})$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return { min: Number(from), max: Number(to) };
  read.refuse(name);
  return undefined;
};

const readMarks = <Name extends string>(
  read: FilterReader,
  names: readonly Name[],
): Partial<Record<Name, 1>> =>
  Object.fromEntries(names.filter((name) => read.flag(name)).map((name) => [name, 1])) as Partial<
    Record<Name, 1>
  >;

/** Filters that both interfaces have. */
const readCommon = (read: FilterReader): NovelConditions => ({
  word: read.text('word'),
  notword: read.text('notword'),
  ncode: read.texts('ncode')?.map((ncode) => ncode.toUpperCase()),
  length: read.range('length', 'minlen', 'maxlen'),
  time: read.range('time', 'mintime', 'maxtime'),
  kaiwaritu: read.range('kaiwaritu'),
  sasie: read.range('sasie'),
  type: read.oneOf('type', WORK_TYPES),
  buntai: read.numbers('buntai'),
  stop: read.oneOf('stop', ['1', '2']),
  lastup: readWhen(read, 'lastup'),
  lastupdate: readWhen(read, 'lastupdate'),
  ...readMarks(read, [...TEXT_TARGETS, 'istt', 'ispickup'] as const),
});

const readNovelapiOnly = (read: FilterReader): NovelConditions => ({
  userid: read.numbers('userid'),
  genre: read.numbers('genre'),
  notgenre: read.numbers('notgenre'),
  biggenre: read.numbers('biggenre'),
  notbiggenre: read.numbers('notbiggenre'),
});

const readNovel18apiOnly = (read: FilterReader): NovelConditions => ({
  nocgenre: read.numbers('nocgenre'),
  notnocgenre: read.numbers('notnocgenre'),
  xid: read.texts('xid')?.map((xid) => xid.toLowerCase()),
});

/**
 * Reads the filters and the order of a search. What an interface does not know is ignored, or refused where a switch
 * says so.
 */
export function readNovelQuery(
  source: NovelInterface,
  parameters: Parameters,
  switches: NarouServerSwitches,
): NovelConditions & { order: NovelapiOrder } {
  const adult = source === 'novel18api';
  if (adult && switches.adultForeignFilters === 'error') {
    const foreign = NOVELAPI_ONLY.find((name) => parameters.has(name));
    if (foreign !== undefined) throw new UpstreamError(`Error: Invalid parameter ${foreign}.`);
  }
  const read = createFilterReader(parameters, switches);
  const isForAllAges = (name: string) => name === 'isr15' || name === 'notr15';
  const marks = [...NOVEL_FLAGS, ...NOT_FLAGS].filter((name) => !(adult && isForAllAges(name)));
  return {
    ...readCommon(read),
    ...readMarks(read, marks),
    ...(adult ? readNovel18apiOnly(read) : readNovelapiOnly(read)),
    firstup: switches.firstupFilter === 'works' ? readWhen(read, 'firstup') : undefined,
    order: readOrder(source, parameters, switches),
  };
}
