import { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { ServiceError } from '../errors.ts';
import type { Admission } from '../limits/admission.ts';
import type { Bound } from '../limits/bounded-use.ts';
import type { ClientIdentity } from '../limits/network.ts';

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

interface Connection {
  readonly client: ClientIdentity | undefined;
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
  admission: Admission;
  /** The client of a connection; undefined for a proxy, which serves many. */
  clientOf: (socket: Socket) => ClientIdentity | undefined;
}

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

/** By whose share is full: whether two connections count for the same share. */
const SAME_OWNER: Record<keyof Bound, (one?: ClientIdentity, other?: ClientIdentity) => boolean> = {
  client: (one, other) => one?.key === other?.key,
  network: (one, other) => one?.network === other?.network,
  all: () => true,
};

const isSent = (response: ServerResponse | undefined) => response === undefined || response.writableFinished;

/**
 * The open connections. One with a request before the previous response is sent is closed after that response: clients
 * then repeat the others (RFC 9112, section 9.3.2).
 */
export class Connections {
  readonly #options: ConnectionOptions;
  /** Ordered by when they were opened or last checked. */
  readonly #open = new Map<Socket, Connection>();
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
    const { admission, clientOf } = this.#options;
    admission.burst.countConnection();
    const client = clientOf(socket);
    const full = admission.connections.findFull(client, 1);
    if (full && !this.#closeIdle(SAME_OWNER[full], client)) {
      this.#refused++;
      socket.destroy();
      return;
    }
    this.#accepted++;
    const connection: Connection = {
      client,
      response: undefined,
      isEnding: false,
      ignored: 0,
      isUsed: true,
    };
    this.#open.set(socket, connection);
    const release = admission.connections.add(client, 1);
    socket.once('close', () => {
      release();
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

  /** Closes an idle connection of the same owner, preferably one that was not used recently. */
  #closeIdle(isSame: (one?: ClientIdentity, other?: ClientIdentity) => boolean, client?: ClientIdentity) {
    let busy = 0;
    for (const [socket, connection] of this.#open) {
      const isIdle = isSame(connection.client, client) && isSent(connection.response);
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
