import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServe } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';

const MEMORY_LIMIT_BYTES = 512 * 1024 * 1024;
const MOST_RESIDENT_MIB = 400;
const ATTACK_MS = 7_000;

const CGROUPS = ['/sys/fs/cgroup/memory', '/sys/fs/cgroup'];
const LIMIT_FILES = ['memory.limit_in_bytes', 'memory.max'];

let service: RunningCommand;
let cgroup: string | undefined;
const sockets: Socket[] = [];

/** Puts a process under the limit where this machine lets us; elsewhere its memory is only watched. */
function limitMemory(pid: number): string | undefined {
  for (const parent of CGROUPS) {
    const group = `${parent}/mokuroku-limits-${pid}`;
    try {
      mkdirSync(group);
      const file = LIMIT_FILES.find((name) => existsSync(`${group}/${name}`));
      if (file === undefined) throw new Error('no memory controller');
      writeFileSync(`${group}/${file}`, String(MEMORY_LIMIT_BYTES));
      writeFileSync(`${group}/cgroup.procs`, String(pid));
      return group;
    } catch {
      if (existsSync(group)) rmdirSync(group);
    }
  }
  return undefined;
}

beforeAll(async () => {
  service = await startServe({ TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' });
  cgroup = limitMemory(service.child.pid ?? 0);
  for (let time = 0; time < 2; time++)
    await (await request(`${service.catalogue}/v1/novels?lim=20`)).body.dump();
});
afterAll(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.end('SIGKILL');
  if (cgroup !== undefined) rmdirSync(cgroup);
});

const residentMib = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid ?? 0}/status`, 'utf8'))?.[1]) / 1024;

interface Attacker {
  text: string;
  /** Its own address, where none is forwarded. */
  from?: string;
  base?: string;
  isReading?: boolean;
}

/** Sends all at once; reads as fast as it can, or nothing. */
function attack({ text, from, base = service.catalogue, isReading = false }: Attacker): void {
  const port = Number(new URL(base).port);
  const socket = connect({ port, host: '127.0.0.1', ...(from !== undefined && { localAddress: from }) });
  socket.on('error', () => undefined);
  if (isReading) socket.resume();
  else socket.pause();
  socket.write(text);
  sockets.push(socket);
}

let requestsOfOthers = 0;
let serial = 0;
const cold = (headers = '') => `GET /v1/novels?lim=500&st=${++serial} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const ATTACKS: [string, () => void][] = [
  [
    'fourteen clients with 59 pipelined cold requests, seven of which read',
    () => {
      for (let index = 0; index < 14; index++) {
        attack({
          text: times(59, () => cold()).join(''),
          from: `127.0.1.${index + 1}`,
          isReading: index % 2 === 0,
        });
      }
    },
  ],
  [
    'fifty clients that read nothing',
    () => {
      for (let index = 0; index < 50; index++) {
        attack({ text: times(50, () => cold()).join(''), from: `127.0.2.${index + 1}` });
      }
    },
  ],
  [
    'one thousand addresses of one /48',
    () => {
      for (let index = 0; index < 1_000; index++) {
        attack({ text: cold(`X-Forwarded-For: 2001:db8:1:${index.toString(16)}::1\r\n`) });
      }
    },
  ],
  [
    'streams of look-ups whose readers stall',
    () => {
      const names = times(100, (index) => `name-${index}.com`).join(',');
      const text = `GET /-/look-ups?names=${names} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(20);
      for (let index = 0; index < 50; index++) {
        attack({ text, from: `127.0.3.${index + 1}`, base: service.registration });
      }
    },
  ],
  [
    'a thousand idle connections, and pipelined requests without end',
    () => {
      for (let index = 0; index < 1_000; index++) attack({ text: '', from: `127.0.4.${(index % 250) + 1}` });
      for (let index = 0; index < 20; index++) {
        attack({ text: 'GET / HTTP/1.1\r\nHost:a\r\n\r\n'.repeat(40_000), from: `127.0.5.${index + 1}` });
      }
    },
  ],
];

describe('under 512 MB, with the settings of a new installation', () => {
  it.each(ATTACKS)(
    '%s end nothing, and others are answered',
    async (_what, begin) => {
      const agent = new Agent();
      const [statuses, tookMs]: [number[], number[]] = [[], []];
      let mostMib = 0;
      const watch = setInterval(() => (mostMib = Math.max(mostMib, residentMib())), 100);
      // As a harvest that builds beside the service takes a processor.
      const build = spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(2)'], { stdio: 'ignore' });
      begin();
      const until = performance.now() + ATTACK_MS;
      try {
        for (let turn = 0; performance.now() < until; turn++) {
          const from = performance.now();
          const path = ['/v1/novels?lim=20', `/v1/meta/genres?turn=${turn}`, '/livez'][turn % 3] ?? '';
          // Below the rate limit of each address.
          const headers = { 'x-forwarded-for': `198.51.${Math.floor(requestsOfOthers++ / 50)}.1` };
          const { statusCode, body } = await request(service.catalogue + path, {
            dispatcher: agent,
            headers,
          });
          await body.dump();
          statuses.push(statusCode);
          tookMs.push(performance.now() - from);
          await wait(50);
        }
      } finally {
        clearInterval(watch);
        build.kill('SIGKILL');
        for (const socket of sockets.splice(0)) socket.destroy();
        await agent.close();
      }
      tookMs.sort((one, other) => one - other);
      expect(service.child.exitCode).toBeNull();
      expect(mostMib).toBeLessThan(MOST_RESIDENT_MIB);
      expect(new Set(statuses)).toEqual(new Set([200]));
      // Times depend on the machine and are printed, not asserted.
      const p95 = tookMs[Math.floor(tookMs.length * 0.95)] ?? 0;
      process.stdout.write(`others: p95 ${Math.round(p95)} ms, memory ${Math.round(mostMib)} MiB\n`);
    },
    60_000,
  );
});
