export { openHttpService } from './http-service.ts';
export { serveOnStdio } from './mcp-server.ts';
