import { isRecord } from '../process/json.ts';
import type { Json } from '../process/json.ts';
import { ResponseTooLarge, readAddress, requestText, retryAfterOf } from '../requests.ts';
import { NoReply } from './call-tool.ts';
import type { CallService } from './call-tool.ts';
import type { McpService } from './mcp-server.ts';
import { OPENAPI_DOCUMENT, readTools } from './openapi-tools.ts';

/** Three times as many levels as any response of a service has. */
const MAX_DEPTH = 64;

/** Each level takes space on the stack when a value is copied or written as text. */
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1)));

/** The record, or the lines of NDJSON. Throws a NoReply. */
function readBody(text: string, contentType: string): Json | unknown[] {
  try {
    const isLines = contentType.startsWith('application/x-ndjson');
    const texts = isLines ? text.split('\n').filter((line) => line !== '') : [text];
    const values = texts.map((each): unknown => JSON.parse(each));
    const body = isLines ? values : isRecord(values[0]) && values[0];
    if (body && !isDeeper(body, MAX_DEPTH)) return body;
    throw new SyntaxError('no record, or nested too deep');
  } catch (error) {
    throw new NoReply('not_json', error);
  }
}

/**
 * A running service of mokuroku at an address. Rejects with NoReply if it is unreachable, else with an Error that names
 * the address, without its password.
 */
export async function openHttpService(
  address: string,
  options: { isComplete: boolean },
): Promise<McpService> {
  const { base, headers } = readAddress(address);
  const call: CallService = async (target, signal) => {
    const request = requestText({ url: `${base}${target}`, headers }, signal);
    const { response, text } = await request.catch((error: unknown) => {
      throw new NoReply(error instanceof ResponseTooLarge ? 'not_json' : 'unreachable', error);
    });
    return {
      status: response.status,
      body: readBody(text, response.headers.get('Content-Type') ?? ''),
      retryAfterSeconds: retryAfterOf(response),
      isSample: response.headers.get('X-Data') === 'sample',
    };
  };
  try {
    const { body } = await call('/openapi.json');
    const document = OPENAPI_DOCUMENT.parse(body);
    return { name: document['x-service'], ...readTools(document, options), call };
  } catch (error) {
    if (error instanceof NoReply && error.code === 'unreachable') throw error;
    throw new Error(`${base}/openapi.json is not the document of a mokuroku service.`, { cause: error });
  }
}
