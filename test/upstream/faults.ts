import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse, Row, Value } from './protocol.ts';
import type { NarouServerSwitches } from './switches.ts';

// Effects of the fault switches: on records, on the whole response, and on how it is sent.

const mapValues = (row: Row, change: (value: Value) => Value): Row =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, change(value)]));

const CHANGES: Readonly<Record<NarouServerSwitches['record'], (row: Row) => Row>> = {
  normal: (row) => row,
  // Records of 2020 had this field.
  extraField: (row) => ({ ...row, pc_or_k: 2 }),
  numbersAsStrings: (row) => mapValues(row, (value) => (typeof value === 'number' ? String(value) : value)),
  noNcode: (row) => Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'ncode')),
  nullStrings: (row) => mapValues(row, (value) => (typeof value === 'string' ? null : value)),
  floats: (row) => mapValues(row, (value) => (typeof value === 'number' ? value + 0.5 : value)),
};

/** The number in an Ncode determines which records are faulty, the same each time. */
const ncodeNumber = (row: Row): number => Number(/\d+/.exec(String(row['ncode']))?.[0] ?? 0);

const FIGURE = /_point$|_cnt$|^weekly_unique$/;
/** One novel in this many has a faulty story. */
const FAULTY_STORY_EVERY = 1_000;

const hasFaultyStory = (row: Row): boolean => 'story' in row && ncodeNumber(row) % FAULTY_STORY_EVERY === 7;

function faultFields(row: Row, switches: NarouServerSwitches): Row {
  const { missingField, renamedField, fieldFaultEvery } = switches;
  const isFaulty = fieldFaultEvery === 0 || ncodeNumber(row) % fieldFaultEvery === 0;
  if (!isFaulty || (missingField === 'off' && renamedField === 'off')) return row;
  const fields = Object.entries(row).filter(([name]) => name !== missingField);
  return Object.fromEntries(
    fields.map(([name, value]) => [name === renamedField ? `${name}_2` : name, value]),
  );
}

function faultValues(row: Row, { zeroFigures, emptyTitles, overlongText }: NarouServerSwitches): Row {
  const isOverlong = overlongText > 0 && hasFaultyStory(row);
  const zeroed = zeroFigures ? Object.keys(row).filter((name) => FIGURE.test(name)) : [];
  return {
    ...row,
    ...Object.fromEntries(zeroed.map((name) => [name, 0])),
    ...(emptyTitles && 'title' in row ? { title: '' } : {}),
    ...(isOverlong ? { story: 'a'.repeat(overlongText) } : {}),
  };
}

/** The rows with the faults of the switches for records. A leading count is unchanged. Throws for a server error. */
export function faultRows(rows: readonly Row[], switches: NarouServerSwitches): readonly Row[] {
  const { record, doubledRows, failingStory } = switches;
  if (failingStory && rows.some(hasFaultyStory)) throw new Error('a story fails');
  const [first, ...rest] = rows;
  const counted = first !== undefined && 'allcount' in first ? [first] : [];
  const records = counted.length > 0 ? rest : rows;
  const faulty = records.map((row) => faultValues(faultFields(row, switches), switches));
  const all = [...counted, ...faulty, ...(doubledRows ? faulty.slice(0, 1) : [])];
  return record === 'normal' ? all : all.map(CHANGES[record]);
}

// The same bytes each time, and no gzip file: the first is never 1f.
const garbage = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, index) => (index === 0 ? 0xff : (index * 167) & 0xff)));

const BODIES: Readonly<Record<NarouServerSwitches['body'], (body: Buffer) => Buffer>> = {
  normal: (body) => body,
  truncated: (body) => body.subarray(0, Math.floor(body.length / 2)),
  garbage: (body) => garbage(Math.max(16, Math.min(body.length, 4096))),
  empty: () => Buffer.alloc(0),
  notJson: () => Buffer.from('<br />\n<b>Warning</b>: mysqli_connect(): Too many connections\n'),
  object: () => Buffer.from('{}'),
  trailing: (body) => Buffer.concat([body, Buffer.from('\n<!-- 0.0132s -->\n')]),
};

/** The response with the faults of the switches `status`, `body` and `retryAfterSeconds`; `count` is its number. */
export function injectFault(
  answer: HttpResponse,
  switches: NarouServerSwitches,
  count: number,
): HttpResponse {
  const { status, retryAfterSeconds, bodyFaultEvery } = switches;
  const body = bodyFaultEvery === 0 || count % bodyFaultEvery === 0 ? switches.body : 'normal';
  return {
    status: status >= 200 ? status : answer.status,
    headers:
      retryAfterSeconds > 0
        ? { ...answer.headers, 'retry-after': String(retryAfterSeconds) }
        : answer.headers,
    body: BODIES[body](answer.body),
  };
}

const BLANKS = Buffer.alloc(65_536, ' ');

/** Resolves after some time, or at once when the client disconnects, without leaving a timer. */
async function pause(response: ServerResponse, milliseconds: number): Promise<void> {
  if (milliseconds === 0 || response.destroyed) return;
  const disconnected = new AbortController();
  const stop = () => disconnected.abort();
  response.once('close', stop);
  await sleep(milliseconds, undefined, { signal: disconnected.signal }).catch(() => undefined);
  response.off('close', stop);
}

const dripBody = async (response: ServerResponse, body: Buffer, milliseconds: number): Promise<void> => {
  for (const byte of body) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await pause(response, milliseconds);
  }
  response.end();
};

function* blanks(length: number): Generator<Buffer, void, undefined> {
  for (let bytesLeft = length; bytesLeft > 0; bytesLeft -= BLANKS.length) yield BLANKS.subarray(0, bytesLeft);
}

/** Writes a response, as slowly, as broken or as long as the switches say. */
export async function sendFaulty(
  response: ServerResponse,
  answer: HttpResponse,
  switches: NarouServerSwitches,
): Promise<void> {
  const { hang, reset, dripMs, hugeBodyBytes, latencyMs } = switches;
  await pause(response, latencyMs);
  if (response.destroyed || hang === 'beforeHeaders') return;
  if (reset === 'beforeHeaders') {
    response.socket?.resetAndDestroy();
    return;
  }
  const length = hugeBodyBytes > 0 ? hugeBodyBytes : answer.body.length;
  response.writeHead(answer.status, { ...answer.headers, 'content-length': length });
  if (hang === 'midBody' || reset === 'midBody') {
    const half = answer.body.subarray(0, Math.floor(answer.body.length / 2));
    response.write(half, () => {
      if (reset === 'midBody') response.socket?.resetAndDestroy();
    });
  } else if (hugeBodyBytes > 0) Readable.from(blanks(hugeBodyBytes)).pipe(response);
  else if (dripMs > 0) await dripBody(response, answer.body, dripMs);
  else response.end(answer.body);
}
