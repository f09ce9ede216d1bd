import type { Socket } from 'node:net';
import type { Clock } from '../../process/clock.ts';
import type { Dial } from '../net/dial.ts';
import type { Endpoint } from '../net/host-map.ts';
import { RegistryFault } from '../look-up/registry-fault.ts';
import type { FaultReason } from '../look-up/registry-fault.ts';

/** The largest good answer among some 2,400 collected ones has 14 kB. */
export const MAX_WHOIS_BYTES = 262_144;

/**
 * Sends one query line and resolves to all bytes until the server closes its side (RFC 3912). Rejects with a
 * RegistryFault: `timeout` and `cut_off` carry the part that came. `deadline` is in monotonic milliseconds and
 * covers everything, so that a server that drips gains nothing.
 */
export type AskWhois = (endpoint: Endpoint, query: string, deadline: number) => Promise<Buffer>;

/** Where every piece of every answer is read to, and copied from at once. */
const READ_BUFFER = Buffer.allocUnsafeSlow(65_536);

export function createWhoisClient(clock: Clock, dial: Dial): AskWhois {
  const watch = createWatch(clock);
  return function askWhois(endpoint, query, deadline) {
    return new Promise((done, fail) => {
      if (/[\r\n]/.test(query)) {
        fail(new RegistryFault('bad_answer', { detail: 'a query is one line' }));
        return;
      }
      const reading = new Reading(done, fail, watch);
      const onread = { buffer: READ_BUFFER, callback: (size: number) => reading.take(size) };
      dial(endpoint, deadline, onread).then((socket) => {
        reading.start(socket, query, deadline);
      }, fail);
    });
  };
}

const CHECK_EVERY_MS = 20;

interface Watch {
  add: (reading: Reading, deadline: number) => void;
  remove: (reading: Reading) => void;
}

/** One timer for all readings, and none when there are none: one for each costs as much as reading an answer. */
function createWatch(clock: Clock): Watch {
  const deadlines = new Map<Reading, number>();
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    const now = clock.monotonic();
    for (const [reading, deadline] of deadlines) if (now >= deadline) reading.timeOut();
    if (deadlines.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add: (reading, deadline) => {
      deadlines.set(reading, deadline);
      // The sockets keep the process alive as long as there is something to wait for.
      timer ??= setInterval(check, CHECK_EVERY_MS).unref();
    },
    remove: (reading) => {
      deadlines.delete(reading);
    },
  };
}

/** One answer while it comes in. */
class Reading {
  readonly #done: (bytes: Buffer) => void;
  readonly #fail: (fault: RegistryFault) => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #isOver = false;
  readonly #watch: Watch;
  #socket: Socket | undefined;

  constructor(done: (bytes: Buffer) => void, fail: (fault: RegistryFault) => void, watch: Watch) {
    this.#done = done;
    this.#fail = fail;
    this.#watch = watch;
  }

  start(socket: Socket, query: string, deadline: number): void {
    this.#socket = socket;
    this.#watch.add(this, deadline);
    socket.on('end', () => {
      this.#finish();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#giveUp(this.#size === 0 ? 'unreachable' : 'cut_off', error.code ?? error.message);
    });
    socket.on('close', () => {
      this.#giveUp('cut_off', 'closed');
    });
    socket.write(`${query}\r\n`);
  }

  timeOut(): void {
    this.#giveUp('timeout', 'time was over');
  }

  /** A piece of this size is in the buffer. False: nothing more is wanted. */
  take(size: number): boolean {
    if (this.#isOver) return false;
    this.#size += size;
    if (this.#size <= MAX_WHOIS_BYTES) {
      const chunk = Buffer.allocUnsafe(size);
      READ_BUFFER.copy(chunk, 0, 0, size);
      this.#chunks.push(chunk);
      return true;
    }
    this.#giveUp('too_large', 'cut off');
    return false;
  }

  #bytes(): Buffer {
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
  }

  #finish(): void {
    if (!this.#end()) return;
    this.#done(this.#bytes());
    // Closing is a call to the system: it can wait until the next server has been asked.
    setImmediate(destroy, this.#socket);
  }

  #giveUp(reason: FaultReason, detail: string): void {
    if (!this.#end()) return;
    this.#socket?.destroy();
    const part = this.#bytes();
    this.#fail(new RegistryFault(reason, { detail: `${detail} after ${this.#size} bytes`, part }));
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#watch.remove(this);
    return true;
  }
}

function destroy(socket: Socket | undefined): void {
  socket?.destroy();
}
