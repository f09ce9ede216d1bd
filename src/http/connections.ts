import { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { ServiceError } from '../errors.ts';
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
  /** The response to the last request. */
  response: ServerResponse | undefined;
  /** Nothing is served after this response. */
  isEnding: boolean;
  /** Requests ignored because the connection is ending. */
  ignored: number;
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
}

/** Share of all connections that one client may have. */
const CLIENT_SHARE = 1 / 4;

/** Busy connections to skip in the search for an idle one: bounds the work for each new connection. */
const MAX_BUSY_SKIPPED = 256;

/** An ended connection is read for this long: a reset would discard the response at the client. */
const LINGER_MS = 1_000;

/** Bounds of a client that sends more after a request, before it has read the response: then it is cut off. */
const MAX_IGNORED_REQUESTS = 100;
const MAX_IGNORED_BYTES = 1_000_000;

/** Reads on, because a reset would discard the response at the client; parses nothing. */
function ignoreInput(socket: Socket): void {
  const before = socket.bytesRead;
  socket.removeAllListeners('data').on('data', () => {
    if (socket.bytesRead - before > MAX_IGNORED_BYTES) socket.destroy();
  });
}

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
 * The open connections. One with a request before the previous response is sent is closed after that response: clients
 * then repeat the others (RFC 9112, section 9.3.2).
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
      response: undefined,
      isEnding: false,
      ignored: 0,
      isUsed: true,
    };
    this.#open.set(socket, connection);
    for (const { name } of shares) this.#openByOwner.add(name);
    socket.once('close', () => {
      for (const { name } of shares) this.#openByOwner.remove(name);
      this.#open.delete(socket);
    });
  };

  /** For every request that Node has parsed. */
  readonly receive: RequestListener = (request, response) => {
    const { socket } = request;
    const connection = this.#open.get(socket);
    if (connection) {
      if (connection.isEnding && ++connection.ignored > MAX_IGNORED_REQUESTS) socket.destroy();
      // Node gives a response its socket after the previous response.
      if (!response.socket) this.#endAfterResponse(connection, socket);
      if (connection.isEnding) return;
      connection.isUsed = true;
      connection.response = response;
    }
    this.#options.handle(request, response);
  };

  /** Responds to a request that Node rejected, unless a response is in progress, and ends the connection. */
  refuse(socket: Socket, request: ReceivedRequest, refusal: ServiceError): void {
    const connection = this.#open.get(socket);
    if (connection?.response?.socket) {
      const { response } = connection;
      // After a CONNECT, Node no longer passes `drain` to the response.
      socket.on('drain', () => response.emit('drain'));
      this.#endAfterResponse(connection, socket);
    }
    if (connection?.isEnding || !socket.writable) return;
    request.refusal = refusal;
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => {
      closeLingering(socket);
    });
    if (connection) Object.assign(connection, { isEnding: true, response });
    this.#options.handle(request, response);
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
    return !isSent(this.#open.get(socket)?.response);
  }

  /** Closes idle connections at once, the others after their response. */
  endAll(): void {
    for (const [socket, connection] of this.#open) {
      if (isSent(connection.response)) socket.destroy();
      else this.#endAfterResponse(connection, socket);
    }
  }

  /** For a connection with a response in progress. */
  #endAfterResponse(connection: Connection, socket: Socket): void {
    const { response, isEnding } = connection;
    if (isEnding || !response) return;
    connection.isEnding = true;
    response.shouldKeepAlive = false;
    response.once('finish', () => {
      closeLingering(socket);
    });
    // When the parser has returned.
    process.nextTick(ignoreInput, socket);
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
      const isIdle = isCandidate && isSent(connection.response);
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
