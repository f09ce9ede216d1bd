import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to clients (from 32,768): one of those may be in use again before the test listens
 * on it. A node of a Redis cluster also listens 10,000 higher.
 */
const [FIRST_PORT, LAST_PORT] = [10_000, 22_000];

export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** A currently unused port: for programs that cannot report theirs, and for refused connections. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
}
