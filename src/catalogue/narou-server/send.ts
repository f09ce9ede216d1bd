import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';
import type { NarouServerSwitches } from './switches.ts';

const BLANKS = Buffer.alloc(65_536, ' ');

/** Resolves after some time, or at once when the client has gone. Nothing is left running either way. */
export function pause(response: ServerResponse, milliseconds: number): Promise<void> {
  if (milliseconds === 0 || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    response.on('close', done);
  });
}

const drip = async (response: ServerResponse, body: Buffer, milliseconds: number): Promise<void> => {
  for (const byte of body) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await pause(response, milliseconds);
  }
  response.end();
};

const sendBlanks = (response: ServerResponse, length: number): void => {
  let left = length;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      const piece = BLANKS.subarray(0, Math.min(left, BLANKS.length));
      left -= piece.length;
      if (!response.write(piece)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
};

/** Writes an answer, as slowly, as broken or as long as the switches say. */
export async function send(
  response: ServerResponse,
  answer: Answer,
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
  } else if (hugeBodyBytes > 0) sendBlanks(response, hugeBodyBytes);
  else if (dripMs > 0) await drip(response, answer.body, dripMs);
  else response.end(answer.body);
}
