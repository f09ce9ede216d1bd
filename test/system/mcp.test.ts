import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const cli = path.join(root, 'dist/cli.js');

beforeAll(() => {
  execFileSync(process.execPath, [path.join(root, 'scripts/build.mjs'), '--quiet']);
}, 60_000);

it('the built command serves its tools on standard input and output, and ends with its client', async () => {
  const transport = new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp'] });
  const client = new Client({ name: 'test', version: '0.0.0' });
  await client.connect(transport);
  const pid = transport.pid ?? 0;
  expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  const result = await client.callTool({ name: 'look_up_domain', arguments: { domain: 'example.com' } });
  expect(JSON.stringify(result.content)).toContain('registered');
  await client.close();
  await expect.poll(() => isRunning(pid)).toBe(false);
});

it('an address that is no service ends the command with what is wrong', () => {
  const run = () =>
    execFileSync(process.execPath, [cli, 'mcp', '--base-url', 'http://127.0.0.1:9'], { stdio: 'pipe' });
  expect(run).toThrow('is not the document of a mokuroku service');
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
