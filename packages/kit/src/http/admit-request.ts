import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Admission } from '../limits/admission.ts';

/** Memory of a request beside its headers, until its response is sent. */
const REQUEST_BYTES = 4_096;

/** Memory of a request: its headers are stored as text and as fields. */
function estimateRequestBytes({ rawHeaders }: { rawHeaders: readonly string[] }): number {
  let length = 0;
  for (const text of rawHeaders) length += text.length;
  return REQUEST_BYTES + 2 * length;
}

/** Calls `end` once when the response is closed: at once if its client has left already. */
export function whenClosed(response: ServerResponse, end: () => void): void {
  if (response.destroyed) end();
  else response.once('close', end);
}

/** Reserves memory for a body until its response is closed; waits briefly if there is not enough. Throws `overloaded`. */
export type ReserveMemory = (reply: FastifyReply, body: object, bytes: number) => Promise<void>;

/**
 * Starts each request when it is admitted, or responds 503. Runs after the hook for cached responses. Documents and
 * health are exempt: they cost little and must respond under load.
 */
export function addAdmission(app: FastifyInstance, admission: Admission): ReserveMemory {
  app.decorateRequest('permit');
  app.addHook('onRequest', function admitRequest(request, reply, done) {
    if (request.routeOptions.config.isExempt) {
      done();
      return;
    }
    const bytes = estimateRequestBytes(request.raw);
    const permit = admission.acquire({ client: request.client, work: 'request', bytes });
    request.permit = permit;
    whenClosed(reply.raw, permit.release);
    permit.granted.then(() => {
      if (!reply.raw.destroyed) done();
    }, done);
  });
  return async function reserveMemory({ request: { client, permit } }, body, bytes) {
    const more = admission.acquire({ client, bytes, body });
    await more.granted;
    permit.hold(more.release);
  };
}
