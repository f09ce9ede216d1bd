import { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../errors.ts';
import type { ConnectionBurst } from '../limits/connection-burst.ts';
import type { MemoryOwner } from '../limits/in-flight.ts';
import { NETWORK_SHARE } from '../limits/network.ts';
import { Counter } from '../limits/tally.ts';

/** A request that may be refused before it is parsed. The hooks treat it like any other. */
export interface ReceivedRequest extends IncomingMessage {
  refusal?: ServiceError;
  /** The client's method: `method` is the one for the router. */
  clientMethod?: string;
  /** Whether the request target is a path or a whole address. */
  hasTarget?: boolean;
}

/** Method and URL of an unreadable request, in the log. */
const NOT_READ = '-';

/** A client or a network, and its maximum share of all connections. */
interface ConnectionShare {
  name: string;
  share: number;
}

interface Connection {
  readonly shares: readonly ConnectionShare[];
  /** The response that was started last. */
  current: ServerResponse | undefined;
  /** The response to the last request received, which is sent after all others. */
  last: ServerResponse | undefined;
  /** Frees the memory of each request that waits for the response before its own. */
  readonly waiting: (() => void)[];
  /** No response follows the one that ends the connection. */
  isEnding: boolean;
  /** Whether a request has started since the last search for idle connections. */
  isUsed: boolean;
}

/** Connections open now, and totals since the start. */
export interface ConnectionStats {
  open: number;
  accepted: number;
  refused: number;
}

interface ConnectionOptions {
  handle: RequestListener;
  /** Beyond this an idle connection is closed, or the new one if none is idle. */
  maxConnections: number;
  /** The client of a connection; undefined for a proxy, which serves many. */
  clientOf: (socket: Socket) => MemoryOwner | undefined;
  /** Notified of every accepted connection. */
  connectionBurst: Pick<ConnectionBurst, 'countConnection'>;
  /** Reserves memory for a waiting request. Returns a function that frees it, or undefined if there is not enough. */
  reserveWaiting: (request: IncomingMessage) => (() => void) | undefined;
}

/** Share of all connections that one client may have. */
const CLIENT_SHARE = 1 / 4;

/** Busy connections to skip in the search for an idle one: bounds the work for each new connection. */
const MAX_BUSY_SKIPPED = 256;

/** An ended connection is read for this long: a reset would discard the response at the client. */
const LINGER_MS = 1_000;

function closeLingering(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** The client and the network that a connection counts for. */
const sharesOf = ({ key, masked }: MemoryOwner): ConnectionShare[] => [
  { name: key, share: CLIENT_SHARE },
  // No client's key has this form.
  { name: `network ${masked}`, share: NETWORK_SHARE },
];

const isSent = (response: ServerResponse | undefined) => response === undefined || response.writableFinished;

/**
 * The open connections. Node parses all requests of a packet at once. Here each starts after the previous response is
 * sent, and a connection with a waiting request is not read.
 */
export class Connections {
  readonly #options: ConnectionOptions;
  /** Ordered by when they were opened or last checked. */
  readonly #open = new Map<Socket, Connection>();
  readonly #openByOwner = new Counter();
  #accepted = 0;
  #refused = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get stats(): ConnectionStats {
    return { open: this.#open.size, accepted: this.#accepted, refused: this.#refused };
  }

  /** For the server's `connection` event. */
  readonly accept = (socket: Socket): void => {
    this.#options.connectionBurst.countConnection();
    const owner = this.#options.clientOf(socket);
    const isFull = this.#open.size >= this.#options.maxConnections;
    const shares = owner ? sharesOf(owner) : [];
    const crowded = shares.find((share) => this.#isCrowded(share))?.name;
    if ((isFull || crowded !== undefined) && !this.#closeIdle(crowded)) {
      this.#refused++;
      socket.destroy();
      return;
    }
    this.#accepted++;
    const connection: Connection = {
      shares,
      current: undefined,
      last: undefined,
      waiting: [],
      isEnding: false,
      isUsed: true,
    };
    this.#open.set(socket, connection);
    for (const { name } of shares) this.#openByOwner.add(name);
    socket.once('close', () => {
      for (const { name } of shares) this.#openByOwner.remove(name);
      this.#open.delete(socket);
      for (const release of connection.waiting.splice(0)) release();
    });
  };

  /** For every request that Node has parsed. */
  readonly receive: RequestListener = (request, response) => {
    const connection = this.#open.get(request.socket);
    if (!connection) {
      this.#options.handle(request, response);
      return;
    }
    // Node gives a response its socket after the previous response.
    if (response.socket) this.#begin(connection, request, response);
    else this.#wait(connection, request, response);
    connection.last = response;
  };

  /** Responds to a request that Node rejected, after all responses in progress, and ends the connection. */
  refuse(socket: Socket, request: ReceivedRequest, refusal: ServiceError): void {
    const connection = this.#open.get(socket);
    if (connection?.isEnding) return;
    if (connection) connection.isEnding = true;
    request.refusal = refusal;
    const respond = () => {
      if (!socket.writable) return;
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once('finish', () => {
        closeLingering(socket);
      });
      if (connection) connection.last = response;
      this.#options.handle(request, response);
    };
    // After a CONNECT, Node no longer passes `drain` to the response.
    socket.on('drain', () => connection?.current?.emit('drain'));
    const before = connection?.last;
    // Node detaches the socket from a response shortly after its last byte is sent.
    if (!before || (isSent(before) && !before.socket)) respond();
    else before.once('finish', () => setImmediate(respond));
  }

  /** Responds to bytes that the parser could not read. */
  refuseUnreadable(socket: Socket, refusal: ServiceError): void {
    const request: ReceivedRequest = new IncomingMessage(socket);
    request.method = NOT_READ;
    request.url = NOT_READ;
    this.refuse(socket, request, refusal);
  }

  /** Whether a connection has a response in progress. */
  isBusy(socket: Socket): boolean {
    const connection = this.#open.get(socket);
    return connection !== undefined && !isSent(connection.last);
  }

  /** Closes idle connections at once, the others after their response. */
  endAll(): void {
    for (const [socket, { last }] of this.#open) {
      if (isSent(last)) socket.destroy();
      else {
        last?.once('finish', () => {
          closeLingering(socket);
        });
      }
    }
  }

  #begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.isUsed = true;
    connection.current = response;
    this.#options.handle(request, response);
  }

  #wait(connection: Connection, request: ReceivedRequest, response: ServerResponse): void {
    let release = this.#options.reserveWaiting(request);
    if (!release) {
      response.shouldKeepAlive = false;
      request.refusal = new ServiceError('overloaded', { retryAfterSeconds: 1 });
      release = () => undefined;
    }
    connection.waiting.push(release);
    this.#pause(connection, request.socket);
    response.once('socket', (socket: Socket) => {
      connection.waiting.shift()?.();
      response.once('close', () => {
        if (connection.last === response) socket.resume();
      });
      // Clears the write timeout of the previous response.
      socket.setTimeout(0);
      // Lets other connections run first.
      setImmediate(() => {
        if (socket.writable) this.#begin(connection, request, response);
      });
    });
  }

  /** Stops reading. Node resumes a connection after it has parsed a request, in the tick after this one. */
  #pause(connection: Connection, socket: Socket): void {
    process.nextTick(() => {
      process.nextTick(() => {
        if (connection.waiting.length > 0) socket.pause();
      });
    });
  }

  /** Whether a client or a network has its maximum of connections. */
  #isCrowded({ name, share }: ConnectionShare): boolean {
    return this.#openByOwner.of(name) >= Math.ceil(this.#options.maxConnections * share);
  }

  /** Closes an idle connection of this name, preferably one that was not used recently. */
  #closeIdle(name: string | undefined): boolean {
    let busy = 0;
    for (const [socket, connection] of this.#open) {
      const isCandidate = name === undefined || connection.shares.some((share) => share.name === name);
      const isIdle = isCandidate && isSent(connection.last) && connection.waiting.length === 0;
      if (!isIdle && ++busy > MAX_BUSY_SKIPPED) break;
      this.#open.delete(socket);
      if (isIdle && !connection.isUsed) {
        socket.destroy();
        return true;
      }
      // Moves to the end, and counts as unused at the next check.
      connection.isUsed = false;
      this.#open.set(socket, connection);
    }
    return false;
  }
}
