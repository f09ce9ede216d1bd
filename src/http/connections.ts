import { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../errors.ts';
import type { ConnectionBurst } from '../limits/connection-burst.ts';
import type { BytesHolder } from '../limits/in-flight.ts';
import { Counter } from '../limits/tally.ts';

/** A request that is refused before anything of it is looked at. The hooks answer it as they answer any other. */
export interface ReceivedRequest extends IncomingMessage {
  refusal?: ServiceError;
  /** Not even its method could be read. */
  isUnreadable?: boolean;
}

/** Stands in the log in place of a method and a URL that could not be read. */
export const NOT_READ = '-';

interface Connection {
  /** Of the client and the network for which it is counted. */
  readonly names: readonly string[];
  /** The response that was begun last. */
  current: ServerResponse | undefined;
  /** The response to the last request that was received: it leaves after all others. */
  last: ServerResponse | undefined;
  /** Requests that wait until the response before theirs has left, each with what frees its share of memory. */
  readonly waiting: (() => void)[];
  /** Nothing is answered behind the response that ends the connection. */
  isEnding: boolean;
  isPausing: boolean;
  /** Whether a request has begun since connections were last looked through for an idle one. */
  isUsed: boolean;
}

interface ConnectionOptions {
  handle: RequestListener;
  /** Connections at once. Beyond it an idle one is closed, or the new one where none is idle. */
  maxConnections: number;
  /** Who has a connection; undefined where it carries the requests of many. */
  holderOf: (socket: Socket) => BytesHolder | undefined;
  /** Notified of every accepted connection. */
  connectionBurst: Pick<ConnectionBurst, 'note'>;
  /** Counts a waiting request as held memory. Returns what frees it; undefined: there is no room. */
  holdWaiting: (request: IncomingMessage) => (() => void) | undefined;
}

/** Of all connections, those that one client may have, and those that one network may have. */
const CLIENT_SHARE = 1 / 4;
const NETWORK_SHARE = 1 / 2;

/** Busy connections looked at for an idle one before a new one is refused: bounds the work for each that comes. */
const MAX_BUSY_LOOKS = 256;

/** A connection that is ended goes on being read for so long: a reset would take the answer from its client. */
const LINGER_MS = 1_000;

function endSlowly(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** In front of what no client is called. */
const NETWORK = 'network ';

const namesOf = ({ key, masked }: BytesHolder) => [key, NETWORK + masked];

const hasLeft = (response: ServerResponse | undefined) => response === undefined || response.writableFinished;

/**
 * The open connections. Node parses all requests of a packet at once; here each begins when the response before it has
 * left, and nothing more is read from a connection on which one waits.
 */
export class Connections {
  readonly #options: ConnectionOptions;
  /** In the order in which they came or were looked at. */
  readonly #open = new Map<Socket, Connection>();
  readonly #ofHolders = new Counter();
  #refused = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get stats(): { open: number; refused: number } {
    return { open: this.#open.size, refused: this.#refused };
  }

  /** For the server's `connection` event. */
  readonly accept = (socket: Socket): void => {
    this.#options.connectionBurst.note();
    const holder = this.#options.holderOf(socket);
    const isFull = this.#open.size >= this.#options.maxConnections;
    const names = holder ? namesOf(holder) : [];
    const crowded = names.find((name) => this.#isCrowded(name));
    if ((isFull || crowded !== undefined) && !this.#closeIdle(crowded)) {
      this.#refused++;
      socket.destroy();
      return;
    }
    const connection: Connection = {
      names,
      current: undefined,
      last: undefined,
      waiting: [],
      isEnding: false,
      isPausing: false,
      isUsed: true,
    };
    this.#open.set(socket, connection);
    for (const name of names) this.#ofHolders.add(name);
    socket.once('close', () => {
      for (const name of names) this.#ofHolders.remove(name);
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
    // Node gives a response its socket when the one before it has left.
    if (response.socket) this.#begin(connection, request, response);
    else this.#wait(connection, request, response);
    connection.last = response;
  };

  /** Answers in the place of the parser, behind all responses that are under way, and ends the connection. */
  refuse(socket: Socket, request: ReceivedRequest, refusal: ServiceError): void {
    const connection = this.#open.get(socket);
    if (connection?.isEnding) return;
    if (connection) connection.isEnding = true;
    request.refusal = refusal;
    const answer = () => {
      if (!socket.writable) return;
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once('finish', () => {
        endSlowly(socket);
      });
      if (connection) connection.last = response;
      this.#options.handle(request, response);
    };
    // Behind a CONNECT, Node no longer tells a response that its connection has taken what was written.
    socket.on('drain', () => connection?.current?.emit('drain'));
    const before = connection?.last;
    // Node takes the socket from a response a little after its last byte has left.
    if (!before || (hasLeft(before) && !before.socket)) answer();
    else before.once('finish', () => setImmediate(answer));
  }

  /** What the parser could not read, as a request to answer. */
  refuseUnreadable(socket: Socket, refusal: ServiceError): void {
    const request: ReceivedRequest = new IncomingMessage(socket);
    request.isUnreadable = true;
    // The router knows no other word for it; the first hook replaces it.
    request.method = 'GET';
    request.url = NOT_READ;
    this.refuse(socket, request, refusal);
  }

  /** Whether a response is under way on a connection. */
  isBusy(socket: Socket): boolean {
    const connection = this.#open.get(socket);
    return connection !== undefined && !hasLeft(connection.last);
  }

  /** Closes idle connections, and each other one when the response that is under way has left. */
  endAll(): void {
    for (const [socket, { last }] of this.#open) {
      if (hasLeft(last)) socket.destroy();
      else {
        last?.once('finish', () => {
          endSlowly(socket);
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
    if (connection.isEnding) return;
    let release = this.#options.holdWaiting(request);
    if (!release) {
      connection.isEnding = true;
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
      // The write timeout of the response before.
      socket.setTimeout(0);
      // In turn with other connections.
      setImmediate(() => {
        if (socket.writable) this.#begin(connection, request, response);
      });
    });
  }

  /** Stops reading. Node resumes a connection when it has parsed a request, in the tick after this one. */
  #pause(connection: Connection, socket: Socket): void {
    if (connection.isPausing) return;
    connection.isPausing = true;
    process.nextTick(() => {
      process.nextTick(() => {
        connection.isPausing = false;
        if (connection.waiting.length > 0) socket.pause();
      });
    });
  }

  /** Whether a client or a network has as many connections as it may. */
  #isCrowded(name: string): boolean {
    const share = name.startsWith(NETWORK) ? NETWORK_SHARE : CLIENT_SHARE;
    return this.#ofHolders.of(name) >= Math.ceil(this.#options.maxConnections * share);
  }

  /** Closes a connection of this name on which nothing is under way, one that was not used lately first. */
  #closeIdle(name: string | undefined): boolean {
    let busy = 0;
    for (const [socket, connection] of this.#open) {
      const isOne = name === undefined || connection.names.includes(name);
      const isIdle = isOne && hasLeft(connection.last) && connection.waiting.length === 0;
      if (!isIdle && ++busy > MAX_BUSY_LOOKS) return false;
      this.#open.delete(socket);
      if (isIdle && !connection.isUsed) {
        socket.destroy();
        return true;
      }
      // To the end of the line, where it is found again, unused, when all others have been looked at.
      connection.isUsed = false;
      this.#open.set(socket, connection);
    }
    return false;
  }
}
