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

/**
 * Admits each request, or responds 503. Runs after the hook for cached responses. Documents and health are exempt: they
 * cost little and must respond under load.
 */
export function addAdmission(app: FastifyInstance, admission: Admission): void {
  app.decorateRequest('releases');
  app.addHook('onRequest', function admitRequest(request, { raw }, done) {
    if (!request.routeOptions.config.isExempt) {
      // The client has left while the limiter decided.
      if (raw.destroyed) return;
      const releases = [admission.acquireRequest(request.client, estimateRequestBytes(request.raw))];
      request.releases = releases;
      raw.once('close', () => {
        for (const release of releases) release();
      });
    }
    done();
  });
}

/** Reserves memory for a body until the response of its request is closed. Throws `overloaded`. */
export function reserveMemory(
  { raw, request: { client, releases } }: FastifyReply,
  admission: Admission,
  bytes: number,
  body: object,
): void {
  if (!raw.destroyed) releases.push(admission.acquireBytes(client, bytes, body));
}
