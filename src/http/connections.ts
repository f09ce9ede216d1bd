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
  /** The response that was started last. */
  last: ServerResponse | undefined;
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
  admission: Admission;
  /** The client of a connection; undefined for a proxy, which serves many. */
  clientOf: (socket: Socket) => ClientIdentity | undefined;
  /** The client of a request. */
  addressOf: (request: IncomingMessage) => ClientIdentity;
}

/** Busy connections to skip in the search for an idle one: bounds the work for each new connection. */
const MAX_BUSY_SKIPPED = 256;

/** Memory of the requests of a packet of 64 kB, each of which Node keeps until the connection ends. */
const PACKET_BYTES = 1_000_000;

/** An ended connection is read for this long: a reset would discard the response at the client. */
const LINGER_MS = 1_000;

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
 * The open connections. Node parses all requests of a packet at once. A request that comes before the response to the
 * previous one is discarded: that response ends the connection (RFC 9112, sections 9.3.2 and 9.6).
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
      last: undefined,
      isEnding: false,
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
    const connection = this.#open.get(request.socket);
    if (!connection) {
      this.#options.handle(request, response);
      return;
    }
    // Node gives a response its socket after the previous response.
    if (!response.socket || connection.isEnding) {
      this.#discard(connection, request);
      return;
    }
    connection.isUsed = true;
    connection.last = response;
    this.#options.handle(request, response);
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
    const before = connection?.last;
    socket.on('drain', () => before?.emit('drain'));
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

  /** Ends the connection after its last response. Until then it is not read. */
  #discard(connection: Connection, request: IncomingMessage): void {
    if (connection.isEnding) return;
    connection.isEnding = true;
    const { admission, addressOf } = this.#options;
    const { socket } = request;
    const client = addressOf(request);
    if (admission.isFull(client, PACKET_BYTES)) {
      socket.destroy();
      return;
    }
    socket.once('close', admission.addBytes(client, PACKET_BYTES));
    const { last } = connection;
    if (last && !last.headersSent) last.shouldKeepAlive = false;
    last?.once('finish', () => {
      closeLingering(socket);
    });
    // Node resumes a connection after it has parsed a request, in the tick after this one.
    process.nextTick(() => process.nextTick(() => socket.pause()));
  }

  /** Closes an idle connection of the same owner, preferably one that was not used recently. */
  #closeIdle(isSame: (one?: ClientIdentity, other?: ClientIdentity) => boolean, client?: ClientIdentity) {
    let busy = 0;
    for (const [socket, connection] of this.#open) {
      const isOwn = isSame(connection.client, client);
      const isIdle = isOwn && isSent(connection.last);
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
