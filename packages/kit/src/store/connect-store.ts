import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { z } from 'zod';
import { ConfigError, commaList, wholeNumberSetting } from '../process/config.ts';
import { ownValue } from '../process/json.ts';

/**
 * Options of the client that an address may have after `?`, with their values. Others would replace
 * those of `connectStore`. With `lazyConnect`, or a database that is no number, the process ends.
 */
const OPTIONS: Readonly<Record<string, RegExp>> = {
  db: /^\d+$/,
  family: /^[46]$/,
  username: /^/,
  password: /^/,
  sentinelUsername: /^/,
  sentinelPassword: /^/,
};

const FORMS = `must be redis://[user:password@]host[:6379][/db], rediss://... (TLS) or the path of a socket, or several addresses, separated by commas; % in a password is %25; after ?: ${Object.keys(OPTIONS).join(', ')}`;

const wrongOptions = (addresses: readonly string[]): string[] =>
  addresses
    .flatMap((address) => [...new URLSearchParams(/\?(.*)/s.exec(address)?.[1])])
    .flatMap(([name, value]) => (ownValue(OPTIONS, name)?.test(value) ? [] : [name]));

function isAddress(text: string): boolean {
  try {
    // The client decodes the login.
    decodeURIComponent(text);
    const { hostname, pathname } = new URL(text);
    return /^rediss?:\/\/\S+$/.test(text) && hostname !== '' && /^\/?\d*$/.test(pathname);
  } catch {
    return false;
  }
}

const isStoreUrl = ([first = '', ...more]: readonly string[]): boolean =>
  (more.length === 0 && first.startsWith('/')) || [first, ...more].every(isAddress);

/** Settings of the shared store, for both services. */
export const storeSettings = {
  STORE_URL: commaList()
    .refine(isStoreUrl, FORMS)
    .refine((addresses) => wrongOptions(addresses).length === 0, {
      error: ({ input }) => `${FORMS}; not so: ${wrongOptions(input as string[]).join(', ')}`,
    })
    .optional()
    .describe(
      'Redis or Valkey, shared by replicas: cached responses, limits, the daily quota. Several addresses are nodes of a cluster, or Sentinels; the first one has the login for all.',
    ),
  STORE_SENTINEL_NAME: z
    .string()
    .optional()
    .describe('Name of the master, if STORE_URL has the addresses of Sentinels (port 26379).'),
  STORE_PREFIX: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits or ._:-')
    .default('mokuroku:')
    .describe('Prefix of every key in the store.'),
  STORE_TIMEOUT_MS: wholeNumberSetting(10, 5_000)
    .prefault('100')
    .describe('Timeout of a command to the store, after which a replica continues without its reply.'),
};

export type StoreSettings = z.output<z.ZodObject<typeof storeSettings>>;

/** Reconnects by itself. */
export type StoreClient = Redis | Cluster;

type StoreAddress = Pick<StoreSettings, 'STORE_SENTINEL_NAME' | 'STORE_TIMEOUT_MS'> & {
  STORE_URL: readonly string[];
};

const CONNECT_TIMEOUT_MS = 1_000;
/** A connection on which commands get no reply for this long is replaced. */
const SILENCE_MS = 2_000;

const DEFAULT_SENTINEL_PORT = 26_379;

/** An optional peer: only a shared store needs it. */
const loadIoredis = () =>
  import('./ioredis.ts').catch(() => {
    throw new ConfigError([
      'STORE_URL needs the package ioredis: npm install ioredis@5 (--global if mokuroku is)',
    ]);
  });

/**
 * Connects to a server, to a cluster if there are several addresses, or to the master that Sentinels name. Rejects with
 * ConfigError if ioredis is missing.
 */
export async function connectStore(address: StoreAddress): Promise<StoreClient> {
  const { Redis, Cluster } = await loadIoredis();
  const { STORE_URL: urls, STORE_SENTINEL_NAME: name, STORE_TIMEOUT_MS } = address;
  const [first = ''] = urls;
  // Nothing is queued and nothing is sent twice: without a connection, commands fail at once.
  const options: RedisOptions = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: STORE_TIMEOUT_MS,
    socketTimeout: Math.max(SILENCE_MS, STORE_TIMEOUT_MS),
    // A master that became a replica: a new connection queries the Sentinels again.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  };
  if (name !== undefined) {
    if (first.startsWith('/'))
      throw new ConfigError([
        'STORE_SENTINEL_NAME: STORE_URL must be the addresses of Sentinels, not a socket',
      ]);
    const sentinels = urls.map(sentinelOf);
    const { tls, ...login } = sharedOptions(first);
    const secure = tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true };
    return new Redis({
      ...options,
      ...login,
      ...secure,
      sentinels,
      name,
      sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
    });
  }
  if (urls.length === 1) return new Redis(first, options);
  // Nodes that a server names have no address of ours.
  return new Cluster([...urls], { redisOptions: { ...options, ...sharedOptions(first) } });
}

function sentinelOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/[[\]]/g, ''), port: Number(port || DEFAULT_SENTINEL_PORT) };
}

/** All nodes share what ioredis would read from the first address: login, database, encryption, and its own options. */
function sharedOptions(url: string): RedisOptions {
  const { protocol, username, password, pathname, searchParams } = new URL(url);
  return {
    ...Object.fromEntries(searchParams),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(pathname.length > 1 && { db: Number(pathname.slice(1)) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}
