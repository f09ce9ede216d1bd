import type { Answer } from './answer.ts';
import { hash } from '../../sample/novels/random.ts';
import type { NarouServerSwitches } from './switches.ts';

// The same bytes each time, and no gzip file: the first is never 1f.
const garbage = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, index) => (index === 0 ? 0xff : hash(9, index, length) & 0xff)));

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
export function spoilAnswer(answer: Answer, switches: NarouServerSwitches): Answer {
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
