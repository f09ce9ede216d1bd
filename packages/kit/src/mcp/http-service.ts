import { readRetryAfter } from '../process/clock.ts';
import type { CallService } from './call-tool.ts';
import type { McpService } from './mcp-server.ts';
import { OPENAPI_DOCUMENT, readTools } from './openapi-tools.ts';

/** A year of rankings in one response is far smaller; a stranger's endless body is not read. */
const MAX_RESPONSE_BYTES = 32_000_000;

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('response too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** JSON, or the array of the lines of NDJSON. */
function parseBody(text: string, contentType: string): unknown {
  if (!contentType.startsWith('application/x-ndjson')) return JSON.parse(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}

function createHttpCall(baseUrl: string): CallService {
  return async (url, signal) => {
    const response = await fetch(`${baseUrl}${url}`, { ...(signal && { signal }) });
    const { status, headers } = response;
    return {
      status,
      body: parseBody(await readText(response), headers.get('Content-Type') ?? ''),
      retryAfterSeconds: readRetryAfter(headers.get('Retry-After') ?? undefined, Date.now()),
      isSample: headers.get('X-Data') === 'sample',
    };
  };
}

/** A running service of mokuroku at an address. Rejects with an Error that names the address. */
export async function openHttpService(address: string, options: { withAdult: boolean }): Promise<McpService> {
  const baseUrl = address.replace(/\/+$/, '');
  const call = createHttpCall(baseUrl);
  try {
    const { body } = await call('/openapi.json');
    const document = OPENAPI_DOCUMENT.parse(body);
    const name = '/{domain}' in document.paths ? 'registration' : 'catalogue';
    return { name, ...readTools(document, options), call };
  } catch (error) {
    throw new Error(`${baseUrl}/openapi.json is not the document of a mokuroku service.`, { cause: error });
  }
}
