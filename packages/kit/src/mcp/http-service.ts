import { isRecord } from '../process/json.ts';
import type { Json } from '../process/json.ts';
import { readAddress, requestText, retryAfterOf } from '../requests.ts';
import type { CallService } from './call-tool.ts';
import type { McpService } from './mcp-server.ts';
import { OPENAPI_DOCUMENT, readTools } from './openapi-tools.ts';

/** The record, or the lines of NDJSON. Throws a SyntaxError. */
function parseBody(text: string, contentType: string): Json | unknown[] {
  if (contentType.startsWith('application/x-ndjson'))
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line));
  const body: unknown = JSON.parse(text);
  if (!isRecord(body)) throw new SyntaxError('no record');
  return body;
}

/** A running service of mokuroku at an address. Rejects with an Error that names the address, without its password. */
export async function openHttpService(
  address: string,
  options: { isComplete: boolean },
): Promise<McpService> {
  const { base, headers } = readAddress(address);
  const call: CallService = async (target, signal) => {
    const { response, text } = await requestText({ url: `${base}${target}`, headers }, signal);
    return {
      status: response.status,
      body: parseBody(text, response.headers.get('Content-Type') ?? ''),
      retryAfterSeconds: retryAfterOf(response),
      isSample: response.headers.get('X-Data') === 'sample',
    };
  };
  try {
    const { body } = await call('/openapi.json');
    const document = OPENAPI_DOCUMENT.parse(body);
    return { name: document['x-service'], ...readTools(document, options), call };
  } catch (error) {
    throw new Error(`${base}/openapi.json is not the document of a mokuroku service.`, { cause: error });
  }
}
