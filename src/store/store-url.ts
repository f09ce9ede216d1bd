/** Address of the shared store and protocol options. */
export type StoreTarget = StoreCredentials &
  (
    | { kind: 'single'; host: string; port: number; tls: boolean }
    | { kind: 'socket'; path: string; tls: false }
    | {
        kind: 'sentinel';
        name: string;
        nodes: StoreNode[];
        sentinelPassword: string | undefined;
        tls: boolean;
      }
    | { kind: 'cluster'; nodes: StoreNode[]; tls: boolean }
  );

interface StoreNode {
  host: string;
  port: number;
}

interface StoreCredentials {
  username: string | undefined;
  password: string | undefined;
  /** Always 0 in a cluster. */
  db: number;
}

/** For messages: the allowed forms. */
export const STORE_URL_FORMS = [
  'redis://[user:password@]host[:6379][/db]',
  'rediss://... (TLS)',
  'unix:///path/to.sock[?db=0&username=...&password=...]',
  'redis+sentinel://[user:password@]host[:26379],host.../master-name[/db][?sentinelPassword=...]',
  'redis+cluster://[user:password@]host[:6379],host...',
  'rediss+sentinel://... and rediss+cluster://... (TLS)',
].join('; ');

const URL_FORM = /^([a-z+]{1,20}):\/\/(?:([^/?#]*)@)?([^@/?#]*)([^?#]*)(?:\?([^#]*))?$/;
const NODE_FORM = /^(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/;

/** Parses STORE_URL. Throws an Error whose message names the fault, without the password. */
export function parseStoreUrl(text: string): StoreTarget {
  const parts = URL_FORM.exec(text.replace(/^valkey/, 'redis'));
  if (!parts) throw new Error('is not a store address');
  const [, scheme = '', login = '', hosts = '', path = '', query = ''] = parts;
  const settings = new URLSearchParams(query);
  const tls = scheme.startsWith('rediss');
  switch (scheme.replace('rediss', 'redis')) {
    case 'redis': {
      const [node, ...more] = parseNodes(hosts, 6379);
      if (!node || more.length > 0) {
        throw new Error('names several hosts: use redis+sentinel:// or redis+cluster://');
      }
      return {
        kind: 'single',
        ...node,
        tls,
        ...readStoreCredentials(login, path.slice(1) || settings.get('db')),
      };
    }
    case 'unix':
    case 'redis+unix':
      if (path.length < 2 || hosts !== '') throw new Error('needs an absolute path after unix://');
      return {
        kind: 'socket',
        path: decodeURIComponent(path),
        tls: false,
        ...readStoreCredentials('', settings.get('db')),
        username: settings.get('username') ?? undefined,
        password: settings.get('password') ?? undefined,
      };
    case 'redis+sentinel': {
      const [name = '', db = null] = path.slice(1).split('/');
      if (name === '') throw new Error("needs the master's name as its path");
      const sentinelPassword = settings.get('sentinelPassword') ?? undefined;
      const nodes = parseNodes(hosts, 26_379);
      return { kind: 'sentinel', name, nodes, sentinelPassword, tls, ...readStoreCredentials(login, db) };
    }
    case 'redis+cluster':
      if (path.length > 1) throw new Error('names a database: a cluster has only number 0');
      return { kind: 'cluster', nodes: parseNodes(hosts, 6379), tls, ...readStoreCredentials(login, null) };
    default:
      throw new Error(`has the unknown scheme ${scheme}://`);
  }
}

function parseNodes(text: string, defaultPort: number): StoreNode[] {
  return text.split(',').map((part) => {
    const [, host = '', port] = NODE_FORM.exec(part) ?? [];
    const number = port === undefined ? defaultPort : Number(port);
    if (host === '' || number < 1 || number > 65_535) {
      // Anything unlike a host may be part of a password.
      throw new Error(`has no usable host${host === '' ? '' : ` in "${part}"`}`);
    }
    return { host: host.replace(/[[\]]/g, ''), port: number };
  });
}

/** `user:password`, `:password`, or the password alone, as some write it. */
function readStoreCredentials(login: string, db: string | null): StoreCredentials {
  if (db !== null && !/^\d{1,4}$/.test(db))
    throw new Error(`has the database "${db}", which is not a number`);
  const colon = login.indexOf(':');
  const username = colon <= 0 ? undefined : decodeURIComponent(login.slice(0, colon));
  const password = decodeURIComponent(login.slice(colon + 1)) || undefined;
  return { username, password, db: Number(db ?? 0) };
}
