import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { OpenAPIV3_1 } from 'openapi-types';
import { finishOpenapiDocument } from './openapi-document.ts';

const DOCUMENT_PATHS = /^\/(?:livez|readyz|openapi\.json|docs(?:\/.*)?)$/;

/** Paths that cost nobody anything and are not counted by the limiter. */
export const isDocumentPath = (path: string): boolean => DOCUMENT_PATHS.test(path);

/** /openapi.json (3.1), /docs (fully local), /livez and /readyz. Register before the routes they describe. */
export async function registerDocuments(
  app: FastifyInstance,
  openapi: Partial<OpenAPIV3_1.Document>,
  isReady: () => boolean,
): Promise<void> {
  await app.register(swagger, {
    openapi,
    transform: jsonSchemaTransform,
    transformObject: (document) =>
      'openapiObject' in document
        ? finishOpenapiDocument(document.openapiObject as Partial<OpenAPIV3_1.Document>)
        : document.swaggerObject,
  });
  await app.register(swaggerUi, { routePrefix: '/docs' });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  app.get('/livez', { schema: { hide: true } }, (_request, reply) =>
    reply.header('Cache-Control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', { schema: { hide: true } }, (_request, reply) => {
    const ready = isReady();
    return reply
      .code(ready ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .send({ status: ready ? 'ready' : 'not ready' });
  });
}
