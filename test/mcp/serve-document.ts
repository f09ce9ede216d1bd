import type http from 'node:http';
import { serveHttp } from '../http/serve-http.ts';

/** Another program behind the document of a catalogue service, with a path before it. Its address. */
export async function serveDocument(
  catalogue: string | undefined,
  listener: http.RequestListener,
): Promise<string> {
  const document = await (await fetch(`${catalogue}/openapi.json`)).text();
  const address = await serveHttp((request, response) => {
    if (request.url === '/novels/openapi.json') response.end(document);
    else listener(request, response);
  });
  return `${address}/novels/`;
}
