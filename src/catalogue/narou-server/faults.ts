import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpAnswer, Row, Value } from './protocol.ts';
import type { NarouServerSwitches } from './switches.ts';

// What the fault switches do: to the records, to the whole answer, and to how it is sent.

const mapValues = (row: Row, change: (value: Value) => Value): Row =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, change(value)]));

const CHANGES: Readonly<Record<NarouServerSwitches['record'], (row: Row) => Row>> = {
  normal: (row) => row,
  // As records of 2020 had it.
  extraField: (row) => ({ ...row, pc_or_k: 2 }),
  numbersAsStrings: (row) => mapValues(row, (value) => (typeof value === 'number' ? String(value) : value)),
  noNcode: (row) => Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'ncode')),
  nullStrings: (row) => mapValues(row, (value) => (typeof value === 'string' ? null : value)),
  floats: (row) => mapValues(row, (value) => (typeof value === 'number' ? value + 0.5 : value)),
};

/** The rows with the fault that the switch `record` sets. */
export function spoilRows(rows: readonly Row[], { record }: NarouServerSwitches): readonly Row[] {
  return record === 'normal' ? rows : rows.map(CHANGES[record]);
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

/** The answer with the faults that the switches `status`, `body` and `retryAfterSeconds` set. */
export function spoilAnswer(answer: HttpAnswer, switches: NarouServerSwitches): HttpAnswer {
  const { status, body, retryAfterSeconds } = switches;
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

/** Resolves after some time, or at once when the client has gone. Nothing is left running either way. */
async function pause(response: ServerResponse, milliseconds: number): Promise<void> {
  if (milliseconds === 0 || response.destroyed) return;
  const gone = new AbortController();
  const stop = () => gone.abort();
  response.once('close', stop);
  await sleep(milliseconds, undefined, { signal: gone.signal }).catch(() => undefined);
  response.off('close', stop);
}

const drip = async (response: ServerResponse, body: Buffer, milliseconds: number): Promise<void> => {
  for (const byte of body) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await pause(response, milliseconds);
  }
  response.end();
};

function* blanks(length: number): Generator<Buffer, void, undefined> {
  for (let left = length; left > 0; left -= BLANKS.length) yield BLANKS.subarray(0, left);
}

/** Writes an answer, as slowly, as broken or as long as the switches say. */
export async function send(
  response: ServerResponse,
  answer: HttpAnswer,
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
  else if (dripMs > 0) await drip(response, answer.body, dripMs);
  else response.end(answer.body);
}
