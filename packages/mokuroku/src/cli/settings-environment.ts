import { once } from 'node:events';
import net from 'node:net';
import type { Environment } from '@mokuroku/kit/process';
import { editDistance } from '@mokuroku/kit';

export const PREFIX = 'MOKUROKU_';

/** Removes the prefix from settings; prefixed settings take precedence. */
export function withoutPrefix(environment: Environment): Environment {
  const prefixed = Object.entries(environment).filter(
    ([name, value]) => name.startsWith(PREFIX) && (value?.trim() ?? '') !== '',
  );
  return {
    ...environment,
    ...Object.fromEntries(prefixed.map(([name, value]) => [name.slice(PREFIX.length), value])),
  };
}

/** TRUSTED_PROXY equals TRUSTED_PROXIES, RATELIMIT equals RATE_LIMIT. */
const stem = (name: string): string => name.replaceAll('_', '').replace(/(?:IES|Y|S)$/, '');

/** Read by other commands. */
const OTHERS = new Set(['MOKUROKU_CATALOGUE_URL', 'MOKUROKU_REGISTRATION_URL']);

/** Settings of earlier versions: a start names them, with the prefix or without. */
const REMOVED = new Set(['CACHE_DIR', 'CACHE_DISK_MAX_BYTES']);

/** Shorter names that differ in one letter may belong to another program. */
const MIN_LENGTH = 8;

/**
 * Unused variables with a name close to a setting, each with that setting. A name with the prefix is always meant for
 * mokuroku.
 */
export function misspelledSettings(
  environment: Environment,
  settings: readonly string[],
): { name: string; meant: string | undefined }[] {
  const knownNames = new Set(settings);
  return Object.keys(environment).flatMap((name) => {
    const isPrefixed = name.startsWith(PREFIX);
    const bare = isPrefixed ? name.slice(PREFIX.length) : name;
    if (knownNames.has(bare) || OTHERS.has(name)) return [];
    // Copied from its prefixed form (see withoutPrefix), which is reported already.
    if (!isPrefixed && PREFIX + name in environment) return [];
    const meant = settings.find((setting) => {
      if (stem(setting) === stem(bare)) return true;
      return bare.length >= MIN_LENGTH && editDistance(setting, bare) === 1;
    });
    return isPrefixed || REMOVED.has(bare) || meant !== undefined ? [{ name, meant }] : [];
  });
}

/** Whether this machine has the address. */
async function canListen(host: string): Promise<boolean> {
  const server = net.createServer().listen(0, host);
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}

/**
 * The environment without a HOST set by another program: conda sets HOST=x86_64-conda-linux-gnu. MOKUROKU_HOST always
 * stays.
 */
export async function withoutForeignHost(
  environment: Environment,
  warnOf: (host: string) => void,
): Promise<Environment> {
  const host = environment['HOST']?.trim() ?? '';
  if (host === '' || (environment[`${PREFIX}HOST`]?.trim() ?? '') !== '') return environment;
  if (await canListen(host)) return environment;
  warnOf(host);
  return { ...environment, HOST: undefined };
}
