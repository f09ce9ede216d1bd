import { McpServer, fromJsonSchema } from '@modelcontextprotocol/server';
import type { jsonSchemaValidator } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../process/release.ts';
import { MAX_RESULT_CHARACTERS, callTool } from './call-tool.ts';
import type { CallService } from './call-tool.ts';
import type { ServiceTools, ToolArguments } from './openapi-tools.ts';

/** A service whose operations become tools. */
export interface McpService extends ServiceTools {
  /** Name of the service in the URIs of its resources: `catalogue`. */
  name: string;
  call: CallService;
}

/** The service validates the arguments: its errors name every fault and remedy. */
const acceptAll: jsonSchemaValidator = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

const READ_ONLY = { readOnlyHint: true };

/**
 * An MCP server (2025 and 2026 protocol revisions) whose tools are the operations of the services. `instructions` are
 * for the agent.
 */
export function createMcpServer(services: readonly McpService[], instructions: string): McpServer {
  const server = new McpServer({ name: 'mokuroku', title: 'mokuroku', version: VERSION }, { instructions });
  for (const { name: service, tools, codeTables, call } of services) {
    for (const tool of tools) {
      const { name, description } = tool;
      const inputSchema = fromJsonSchema<ToolArguments>(tool.inputSchema, acceptAll);
      server.registerTool(name, { description, inputSchema, annotations: READ_ONLY }, (args, context) =>
        callTool(tool, call, args, context.mcpReq.signal),
      );
    }
    for (const { name, title, description, path } of codeTables) {
      const mimeType = 'application/json';
      server.registerResource(
        name,
        `mokuroku://${service}${path}`,
        { title, description, mimeType },
        async (uri, context) => {
          const { status, body } = await call(path, context.mcpReq.signal);
          const text = JSON.stringify(body);
          if (text.length > MAX_RESULT_CHARACTERS)
            throw new Error(`The response has ${text.length} characters, above ${MAX_RESULT_CHARACTERS}.`);
          // An error is no code table.
          if (status !== 200) throw new Error(text);
          return { contents: [{ uri: uri.href, mimeType, text }] };
        },
      );
    }
  }
  return server;
}

/**
 * Serves MCP on standard input and output until `interrupted` aborts, or the connection closes: by the client, or by the
 * library after a message of more than 10 MB, which then reads no further.
 */
export async function serveOnStdio(
  services: readonly McpService[],
  instructions: string,
  interrupted: AbortSignal,
): Promise<void> {
  const transport = new StdioServerTransport();
  const server = serveStdio(() => createMcpServer(services, instructions), { transport });
  const { onclose } = transport;
  await new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.close();
}
