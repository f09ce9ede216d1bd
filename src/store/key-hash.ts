import { createHash } from 'node:crypto';

/** A name of any length and origin as 22 characters: 132 bits of SHA-256, so that two names never meet. */
export function hashKey(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}
