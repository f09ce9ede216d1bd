import type { ServerResponse } from 'node:http';

/** Calls `end` once when the response is closed: at once if its client has left already. */
export function whenClosed(response: ServerResponse, end: () => void): void {
  if (response.destroyed) end();
  else response.once('close', end);
}
