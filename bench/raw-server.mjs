// The upper bound: node:http writing one Buffer. Usage: node raw-server.mjs FILE [CONTENT-ENCODING]
import { readFileSync } from 'node:fs';
import http from 'node:http';

const [, , file, encoding] = process.argv;
const body = readFileSync(file);
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };
if (encoding) headers['Content-Encoding'] = encoding;
const server = http.createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
