import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis';
import type { StoreTarget } from './store-url.ts';

/** The commands in use, equal for a single server and a cluster. */
export type StoreClient = Pick<Redis | Cluster, 'getBuffer' | 'set' | 'eval' | 'evalsha' | 'info'>;

/** A connection that reconnects by itself. */
export interface StoreLink {
  client: StoreClient;
  /**
   * Called when the connection becomes usable, and when it breaks or fails. A refused connection is known at once; a
   * timeout may only mean a busy machine.
   */
  watch(onReady: () => void, onTrouble: (error: Error, isRefusal: boolean) => void): void;
  /** Replaces a possibly dead connection. A cluster replaces its connections by itself. */
  reconnect(): void;
  /** Waits briefly for replies to commands already sent. */
  close(): Promise<void>;
}

/** Maximum pause between two connection attempts: a store that is back is noticed soon. */
const MAX_RECONNECT_DELAY_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;
const CLOSE_WITHIN_MS = 300;

/** A cluster node that does not reply for this long is reconnected. */
const NODE_SILENCE_MS = 2_000;

const reconnectDelay = (attempts: number) => Math.min(50 * attempts, MAX_RECONNECT_DELAY_MS);

/** An optional peer: only a shared store needs it. */
async function loadIoredis() {
  try {
    return await import('ioredis');
  } catch (cause) {
    throw new Error('STORE_URL needs the package ioredis: npm install ioredis@5', { cause });
  }
}

/** Connects and reconnects. Rejects only when ioredis is not installed. */
export async function connectStore(target: StoreTarget): Promise<StoreLink> {
  const ioredis = await loadIoredis();
  const client =
    target.kind === 'cluster'
      ? new ioredis.Cluster(target.nodes, clusterOptions(target))
      : new ioredis.Redis(redisOptions(target));
  let isClosing = false;
  // ioredis gives up for good if its connection is replaced while it queries a Sentinel.
  let reconnection: NodeJS.Timeout | undefined;
  client.on('end', () => {
    if (isClosing) return;
    reconnection = setTimeout(() => void client.connect().catch(() => undefined), MAX_RECONNECT_DELAY_MS);
    reconnection.unref();
  });
  return {
    client,
    watch: (onReady, onTrouble) => {
      let wasReady = false;
      client.on('ready', () => {
        wasReady = true;
        onReady();
      });
      client.on('error', (error: NodeJS.ErrnoException) => {
        const hint = wasReady ? '' : tlsHint(target, error.code);
        onTrouble(new Error(error.message + hint, { cause: error }), error.code !== 'ETIMEDOUT');
      });
      client.on('close', () => onTrouble(new Error('the connection closed'), false));
    },
    reconnect: () => {
      // An attempt in progress has its own timeout.
      const isConnected = client.status === 'connect' || client.status === 'ready';
      if (target.kind !== 'cluster' && isConnected) client.disconnect(true);
    },
    close: async () => {
      isClosing = true;
      clearTimeout(reconnection);
      const hurry = setTimeout(() => client.disconnect(), CLOSE_WITHIN_MS);
      await client.quit().catch(() => undefined);
      clearTimeout(hurry);
      client.disconnect();
    },
  };
}

/** If one side speaks TLS and the other does not, neither reports it. */
function tlsHint({ tls }: StoreTarget, code: string | undefined): string {
  if (tls && ['ETIMEDOUT', 'ECONNRESET', 'EPROTO'].includes(code ?? '')) {
    return ' (no TLS connection: if the server does not support TLS, STORE_URL begins with redis, not rediss)';
  }
  if (!tls && code === 'ECONNRESET') {
    return ' (if the server wants TLS, STORE_URL begins with rediss, not redis)';
  }
  return '';
}

/** Nothing is queued and nothing is sent twice: without a connection, commands fail at once. */
function commonOptions({ username, password, tls }: StoreTarget): RedisOptions {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: {} }),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: 5_000,
    retryStrategy: reconnectDelay,
    disableClientInfo: true,
    // A master that became a replica: a new connection queries the Sentinels again.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  };
}

function redisOptions(target: Exclude<StoreTarget, { kind: 'cluster' }>): RedisOptions {
  const options = { ...commonOptions(target), db: target.db };
  switch (target.kind) {
    case 'single':
      return { ...options, host: target.host, port: target.port };
    case 'socket':
      return { ...options, path: target.path };
    case 'sentinel':
      return {
        ...options,
        sentinels: target.nodes,
        name: target.name,
        sentinelRetryStrategy: reconnectDelay,
        sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
        ...(target.sentinelPassword !== undefined && { sentinelPassword: target.sentinelPassword }),
        ...(target.tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
      };
  }
}

function clusterOptions(target: StoreTarget): ClusterOptions {
  return {
    redisOptions: { ...commonOptions(target), socketTimeout: NODE_SILENCE_MS },
    enableOfflineQueue: false,
    clusterRetryStrategy: reconnectDelay,
    slotsRefreshInterval: 5_000,
    retryDelayOnFailover: 50,
    retryDelayOnClusterDown: 0,
    maxRedirections: 4,
  };
}
