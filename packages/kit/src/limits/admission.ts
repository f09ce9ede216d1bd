import { ServiceError } from '../errors.ts';
import { BoundedUse } from './bounded-use.ts';
import type { Release } from './bounded-use.ts';
import { FairQueue } from './fair-queue.ts';
import { MAX_TURN_WAIT_SECONDS, MAX_WAIT_SECONDS, RULES, WAITING_SHARE, boundOf } from './rules.ts';
import type { ClientIdentity } from './rules.ts';

/** What a client needs: work, which begins in turn, or only bytes. */
export interface Claim {
  readonly client: ClientIdentity;
  readonly work?: 'request' | 'page' | 'compression';
  readonly bytes?: number;
  /** The bytes of a body count once for all who send it. */
  readonly body?: object;
}

export interface Permit {
  /** Rejects with `overloaded`. Pending for ever if the permit is released before. */
  readonly granted: Promise<void>;
  /** Gives the permit back, or leaves the queue. Further calls have no effect. */
  readonly release: Release;
  /** Calls with the release of another permit that ends with this one. */
  hold(release: Release): void;
}

export interface AdmissionOptions {
  maxBytes?: number;
  maxClientBytes?: number;
  maxConnections?: number;
  maxRequests?: number;
  /** How long a claim waits for bytes. */
  maxWaitMs?: number;
  /** Milliseconds of processor time that this process has used. */
  processorTime?: () => number;
}

/** A claim, granted or waiting. */
class Ticket implements Permit {
  readonly claim: Claim;
  /** Processor time when it was made. */
  readonly since: number;
  readonly granted: Promise<void>;
  hasBytes = false;
  /** Ends the wait for bytes. */
  stopWaiting: Release = () => undefined;
  #grant: () => void = () => undefined;
  #reject: (error: ServiceError) => void = () => undefined;
  readonly #releases: Release[] = [];
  #isReleased = false;

  constructor(claim: Claim, since: number) {
    this.claim = claim;
    this.since = since;
    this.granted = new Promise((resolve, reject) => {
      this.#grant = resolve;
      this.#reject = reject;
    });
  }

  hold(release: Release): void {
    if (this.#isReleased) release();
    else this.#releases.push(release);
  }

  grant(): void {
    this.#grant();
  }

  refuse(): void {
    this.release();
    this.#reject(new ServiceError('overloaded', { retryAfterSeconds: 1 }));
  }

  readonly release = (): void => {
    this.#isReleased = true;
    this.stopWaiting();
    for (const release of this.#releases.splice(0)) release();
  };
}

function usedProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Admits all work by `RULES`. What does not fit waits in one fair queue, or is refused. */
export class Admission {
  readonly connections: BoundedUse;
  readonly #requests: BoundedUse;
  readonly #bytes: BoundedUse;
  readonly #waitingBytes: BoundedUse;
  readonly #compressions = new BoundedUse(boundOf(RULES.compressions, RULES.compressions.all));
  readonly #maxWaitMs: number;
  readonly #processorTime: () => number;
  readonly #queue = new FairQueue<Ticket>();
  readonly #withoutBytes = new Set<Ticket>();
  /** Claims that have begun in this turn of the event loop. */
  #begun = 0;
  #isScheduled = false;
  /** False if nothing in the queue was ready at the last look, and nothing was added or freed since. */
  #mayBegin = false;

  constructor(options: AdmissionOptions) {
    const { maxWaitMs = MAX_WAIT_SECONDS * 1_000 } = options;
    const { maxBytes = RULES.bytes.all, maxClientBytes = RULES.bytes.client } = options;
    const { maxConnections = 10_000, maxRequests = RULES.requests.all } = options;
    this.connections = new BoundedUse(boundOf(RULES.connections, maxConnections));
    this.#requests = new BoundedUse(boundOf(RULES.requests, maxRequests));
    this.#bytes = new BoundedUse(boundOf(RULES.bytes, maxBytes, maxClientBytes));
    this.#waitingBytes = new BoundedUse(
      boundOf(RULES.waitingBytes, maxBytes * WAITING_SHARE, maxClientBytes * WAITING_SHARE),
    );
    this.#maxWaitMs = maxWaitMs;
    this.#processorTime = options.processorTime ?? usedProcessorTime;
  }

  /** Bytes in use, claims that wait for bytes, and claims that wait for their turn. */
  get stats(): { bytes: number; waitingForBytes: number; waitingForTurn: number } {
    const waitingForBytes = this.#withoutBytes.size;
    return { bytes: this.#bytes.used, waitingForBytes, waitingForTurn: this.#queue.size - waitingForBytes };
  }

  /** Whether this client has no space for more bytes. */
  isFull(client: ClientIdentity, bytes = 1): boolean {
    return this.#bytes.findFull(client, bytes) !== undefined;
  }

  /** Counts bytes that are in use already, even beyond the bounds. */
  addBytes(client: ClientIdentity, bytes: number, body?: object): Release {
    return this.#thenLook(this.#bytes.add(client, bytes, body));
  }

  acquire(claim: Claim): Permit {
    const ticket = new Ticket(claim, this.#processorTime());
    const { client, work, bytes = 0, body } = claim;
    if (work === 'request') {
      const isFull = this.#requests.findFull(client, 1) !== undefined;
      ticket.hold(this.#requests.add(client, 1));
      if (isFull) ticket.refuse();
      if (isFull) return ticket;
    }
    if (!this.#hasBytes(ticket)) {
      if (this.#waitingBytes.findFull(client, bytes, body) === undefined) this.#waitForBytes(ticket);
      else ticket.refuse();
    } else if (work === undefined) ticket.grant();
    else if (this.#isFree() && this.#isReady(ticket)) this.#begin(ticket);
    else this.#enqueue(ticket);
    return ticket;
  }

  /** Calls when the claim is granted, and then gives the permit back. */
  async run<T>(claim: Claim, call: () => Promise<T>): Promise<T> {
    const { granted, release } = this.acquire(claim);
    await granted;
    return call().finally(release);
  }

  /** Whether a claim may begin at once, before all in the queue. */
  #isFree(): boolean {
    this.#schedule();
    const isNothingReady = this.#queue.size === 0 || !this.#mayBegin;
    return isNothingReady && this.#begun < RULES.starts.all;
  }

  /** Whether a claim has its bytes. It gets them here as soon as they are free. */
  #hasBytes(ticket: Ticket): boolean {
    const { client, bytes = 0, body = ticket } = ticket.claim;
    if (ticket.hasBytes || bytes === 0) return true;
    if (this.#bytes.findFull(client, bytes, body) !== undefined) return false;
    ticket.hasBytes = true;
    ticket.stopWaiting();
    ticket.hold(this.addBytes(client, bytes, body));
    return true;
  }

  #waitForBytes(ticket: Ticket): void {
    const { client, bytes = 0, body } = ticket.claim;
    const remove = this.#waitingBytes.add(client, bytes, body);
    const timer = setTimeout(() => {
      ticket.refuse();
    }, this.#maxWaitMs);
    this.#withoutBytes.add(ticket);
    ticket.stopWaiting = () => {
      clearTimeout(timer);
      remove();
      this.#withoutBytes.delete(ticket);
    };
    this.#enqueue(ticket);
  }

  #enqueue(ticket: Ticket): void {
    const { key, network } = ticket.claim.client;
    this.#queue.add(network, ticket, key);
    ticket.hold(() => {
      this.#queue.delete(network, ticket, key);
    });
    this.#look();
  }

  #look(): void {
    this.#mayBegin = true;
    if (this.#queue.size > 0) this.#schedule();
  }

  #thenLook(release: Release): Release {
    return () => {
      release();
      this.#look();
    };
  }

  #isReady = (ticket: Ticket): boolean => {
    const { client, work } = ticket.claim;
    if (work === 'compression' && this.#compressions.findFull(client, 1) !== undefined) return false;
    return this.#hasBytes(ticket);
  };

  #begin(ticket: Ticket): void {
    this.#begun++;
    const { client, work } = ticket.claim;
    if (work === 'compression') ticket.hold(this.#thenLook(this.#compressions.add(client, 1)));
    ticket.grant();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#beginRound);
  }

  readonly #beginRound = (): void => {
    this.#isScheduled = false;
    this.#begun = 0;
    if (this.#queue.size === 0 || !this.#mayBegin) return;
    this.#schedule();
    // Each in its own callback, because Node runs resolved promises after each callback.
    for (let count = 0; count < RULES.starts.all; count++) setImmediate(this.#beginNext);
  };

  readonly #beginNext = (): void => {
    while (this.#begun < RULES.starts.all) {
      const ticket = this.#queue.shift(this.#isReady);
      if (!ticket) {
        this.#mayBegin = false;
        return;
      }
      if (this.#isLate(ticket)) ticket.refuse();
      else {
        this.#begin(ticket);
        return;
      }
    }
  };

  #isLate({ claim: { work }, since }: Ticket): boolean {
    return work === 'request' && this.#processorTime() - since > MAX_TURN_WAIT_SECONDS * 1_000;
  }
}
