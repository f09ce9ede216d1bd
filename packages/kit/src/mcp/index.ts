// Tools for agents, on standard input and output. Loaded on use.

export { NoReply } from './call-tool.ts';
export { openHttpService } from './http-service.ts';
export { serveOnStdio } from './mcp-server.ts';
