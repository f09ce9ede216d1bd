// A nearly free upstream: sends the same bytes for every request, by its `lim`. Arguments: pairs of lim and file.
// Prints its address.
import { readFileSync } from 'node:fs';
import http from 'node:http';

const bodies = new Map();
for (let i = 2; i < process.argv.length; i += 2)
  bodies.set(process.argv[i], readFileSync(process.argv[i + 1]));

const server = http.createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  const lim = /[?&]lim=(\d+)/.exec(request.url)?.[1];
  const body = bodies.get(lim) ?? Buffer.from('[]');
  response.writeHead(200, { 'Content-Type': 'application/x-gzip', 'Content-Length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
