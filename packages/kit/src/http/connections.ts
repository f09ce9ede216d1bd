import { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { ServiceError } from '../errors.ts';
import type { Admission, OwnerKind } from '../limits/admission.ts';
import { ownerOf } from '../limits/admission.ts';
import type { ClientAddressReader } from './request-context.ts';
import type { ReceivedRequest } from './routing.ts';

/** What the log has of a request that the parser could not read. */
const unreadRequest = (socket: Socket): ReceivedRequest =>
  Object.assign(new IncomingMessage(socket), { method: '-', url: '-' });

interface Connection {
  /** The response that was started last, until it is closed: it refers to its body. */
  last: ServerResponse | undefined;
  /** Whether an error ends it: Node reports each packet that it cannot read. */
  isRefused: boolean;
}

/** Connections open now, and totals since the start. */
export interface ConnectionStats {
  open: number;
  accepted: number;
  refused: number;
}

export interface ConnectionOptions extends Pick<ClientAddressReader, 'clientOf'> {
  admission: Admission;
}

/** An ended connection is read for this long: a reset would discard the response at the client. */
const LINGER_MS = 1_000;

function closeLingering(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

const isSent = (response: ServerResponse | undefined) => response === undefined || response.writableFinished;

/**
 * Requests for Node's server. Node would parse all requests of a packet, and keep them: some thousand. After an upgrade
 * it parses no more, so a request that comes before the response to the previous one counts as one.
 */
export function requestsOf(isBusy: (socket: Socket) => boolean): typeof IncomingMessage {
  return class extends IncomingMessage {
    #isLast: boolean | undefined;

    get upgrade(): boolean {
      return (this.#isLast ??= this.method === 'CONNECT' || isBusy(this.socket));
    }

    /** Node sets it for an Upgrade header, too, which requests nothing that we have. */
    set upgrade(_isUpgrade: boolean | null) {}
  };
}

/**
 * The open connections. A request that comes before the response to the previous one is discarded: that response ends
 * the connection (RFC 9112, sections 9.3.2 and 9.6).
 */
export class Connections {
  /** Set before the server listens. */
  handle!: RequestListener;
  readonly #options: ConnectionOptions;
  /** The one whose last request is the oldest first. */
  readonly #open = new Map<Socket, Connection>();
  #refused = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get stats(): ConnectionStats {
    return {
      open: this.#open.size,
      accepted: this.#options.admission.connections.added,
      refused: this.#refused,
    };
  }

  /** For the server's `connection` event. */
  readonly accept = (socket: Socket): void => {
    const { admission, clientOf } = this.#options;
    const client = clientOf(socket);
    const full = admission.connections.findFull(client, 1);
    if (full && !this.#closeIdle(full, client)) {
      this.#refused++;
      socket.destroy();
      return;
    }
    this.#open.set(socket, { last: undefined, isRefused: false });
    const release = admission.connections.add(client, 1);
    socket.once('close', () => {
      release();
      this.#open.delete(socket);
    });
  };

  /** For every request that Node has parsed, or that is refused. */
  readonly receive: RequestListener = (request, response) => {
    const { socket } = request;
    const connection = this.#open.get(socket);
    if (connection) {
      this.#open.delete(socket);
      this.#open.set(socket, connection);
      connection.last = response;
      response.once('close', () => {
        if (connection.last === response) connection.last = undefined;
      });
    }
    this.handle(request, response);
  };

  /**
   * Responds to a request that Node rejected, or could not read, after all responses in progress, and ends the
   * connection. Of several, the first is answered.
   */
  refuse(socket: Socket, refusal: ServiceError, request: ReceivedRequest = unreadRequest(socket)): void {
    const connection = this.#open.get(socket);
    if (connection?.isRefused) return;
    if (connection) connection.isRefused = true;
    request.refusal = refusal;
    const respond = () => {
      if (!socket.writable) return;
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once('finish', () => {
        closeLingering(socket);
      });
      this.receive(request, response);
    };
    if (connection?.last) connection.last.once('finish', respond);
    else respond();
  }

  /** Ends a connection, which is no longer read, after the response in progress: Node parses nothing after it. */
  endAfterResponse(socket: Socket): void {
    const last = this.#open.get(socket)?.last;
    if (last && !last.headersSent) last.shouldKeepAlive = false;
    last?.once('finish', () => {
      closeLingering(socket);
    });
  }

  /** After an upgrade, Node no longer passes the socket's events to the response in progress, nor handles its errors. */
  passEvents(socket: Socket): void {
    const last = this.#open.get(socket)?.last;
    // Without a listener it would end the process.
    socket.on('error', () => socket.destroy());
    for (const event of ['drain', 'timeout']) socket.on(event, () => last?.emit(event));
  }

  /** Whether Node has yet to detach the connection from its last response. */
  readonly isAttached = (socket: Socket): boolean => Boolean(this.#open.get(socket)?.last?.socket);

  /** Closes idle connections at once, the others after their response. */
  endAll(): void {
    for (const [socket, { last }] of this.#open) {
      if (isSent(last)) socket.destroy();
      else this.endAfterResponse(socket);
    }
  }

  /** Closes the idle connection of an owner whose last request is the oldest. */
  #closeIdle(kind: OwnerKind, client: string | undefined): boolean {
    const owner = ownerOf(kind, client);
    for (const [socket, { last }] of this.#open) {
      if (ownerOf(kind, this.#options.clientOf(socket)) !== owner || !isSent(last)) continue;
      socket.destroy();
      return true;
    }
    return false;
  }
}
