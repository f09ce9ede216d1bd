import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../process/version.ts';
import { createMcpServer } from './mcp-server.ts';
import type { McpServerOptions } from './mcp-server.ts';

/** Serves MCP on standard input and output until the client closes it or `interrupted` aborts. */
export async function serveOnStdio(
  options: Omit<McpServerOptions, 'version'>,
  interrupted: AbortSignal,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
  const server = serveStdio(() => createMcpServer({ ...options, version: VERSION }));
  await ended;
  await server.close();
}
