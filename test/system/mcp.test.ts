import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { serveHttp } from '../http/serve-http.ts';
import { startNarouServer } from '../upstream/index.ts';
import { systemClock } from '@mokuroku/kit/process';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { CLI, endWithTest, isRunning, startMokuroku } from './running-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startWhoisServer } from '../../packages/mokuroku/src/registration/sample/loopback-server.ts';
import { record, rootObject } from '../../packages/whois/test/loopback-world.ts';

it('the built command serves its tools whatever the settings of a service beside it, and ends with its client', async () => {
  const { port: METRICS_PORT } = new URL(await serveHttp(() => undefined));
  const beside = { HOST: '192.0.2.1', CATALOGUE_PORT: METRICS_PORT, LOG_LEVEL: 'info', RATE_LIMIT: '1' };
  const env = { ...beside, METRICS_PORT, SERVE_ONLY: 'catalogue' };
  const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env });
  const client = new Client({ name: 'test', version: '0.0.0' });
  const unreadable: Error[] = [];
  client.onerror = (error) => unreadable.push(error);
  await client.connect(transport);
  const pid = transport.pid ?? 0;
  expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  for (const name of ['look_up_domain', 'get_availability']) {
    const result = await client.callTool({ name, arguments: { domain: 'example.com' } });
    expect(JSON.stringify(result.content)).toContain('registered');
  }
  expect(unreadable).toEqual([]);
  await client.close();
  await expect.poll(() => isRunning(pid)).toBe(false);
});

/** What a client says first. */
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0.0.0' } },
};

it('ends at a signal, and after a file of requests', async () => {
  const served = startMokuroku(['mcp'], {}, { stdio: ['pipe', 'pipe', 'pipe'] });
  served.child.stdin?.write(`${JSON.stringify(INITIALIZE)}\n`);
  await expect.poll(served.printed, { timeout: 20_000 }).toContain('"serverInfo"');
  expect((await served.end('SIGTERM')).code).toBe(0);
  const file = join(temporaryFolder(), 'requests.jsonl');
  writeFileSync(file, `${JSON.stringify(INITIALIZE)}\n`);
  const read = endWithTest(startMokuroku(['mcp'], {}, { stdio: [openSync(file, 'r'), 'pipe', 'pipe'] }));
  expect([await read.ended, read.printed()]).toEqual([0, expect.stringContaining('"serverInfo"')]);
});

it('ends after a message that is too large to be read, since it hears no further one', async () => {
  const served = endWithTest(startMokuroku(['mcp'], {}, { stdio: ['pipe', 'pipe', 'pipe'] }));
  served.child.stdin?.on('error', () => undefined);
  served.child.stdin?.write(`${JSON.stringify(INITIALIZE)}\n`);
  await expect.poll(served.printed, { timeout: 20_000 }).toContain('"serverInfo"');
  served.child.stdin?.write('x'.repeat(11_000_000));
  expect(await served.ended).toBe(0);
});

it('with --direct it queries the novel site and the registries without a service', async () => {
  const clock = systemClock;
  const upstream = await startNarouServer({ catalogue: createEmbeddedCatalogue({ clock }), clock });
  const root = await startWhoisServer((tld, socket) => socket.end(rootObject(tld, 'whois.nic.test')));
  const registry = await startWhoisServer((name, socket) => socket.end(record(name)));
  const env = {
    ...{ NAROU_BASE_URL: upstream.url, ALLOWED_CIDRS: '127.0.0.1/32', WHOIS_ROOT: `127.0.0.1:${root.port}` },
    ...{ HOST_MAP: `whois.nic.test=127.0.0.1:${registry.port}` },
    RDAP_BOOTSTRAP: 'http://127.0.0.1:9/dns.json',
  };
  const client = new Client({ name: 'test', version: '0.0.0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', '--direct'], env }),
  );
  const novels = await client.callTool({ name: 'search_novels', arguments: { lim: 1 } });
  expect([novels.isError, JSON.stringify(novels.content)]).toEqual([
    undefined,
    expect.stringContaining('ncode'),
  ]);
  // The novels of this upstream are invented, as it says itself; those of the registries are not.
  expect(JSON.stringify(novels.content)).toContain('sample\\":true');
  const domain = await client.callTool({ name: 'look_up_domain', arguments: { domain: 'a.test' } });
  expect(JSON.stringify(domain.content)).toContain('Sample Registrar');
  expect(JSON.stringify(domain.content)).not.toContain('sample\\":true');
  await client.close();
  await Promise.all([root, registry, upstream].map((server) => server.close()));
});
