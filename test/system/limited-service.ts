import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { request } from 'undici';
import type { Agent } from 'undici';
import { CLI, residentMib, startServe } from './running-service.ts';

const MEMORY_LIMIT_BYTES = 512 * 1024 * 1024;
const CGROUPS = ['/sys/fs/cgroup/memory', '/sys/fs/cgroup'];
const LIMIT_FILES = ['memory.limit_in_bytes', 'memory.max'];

/** Starts a command in a control group, so that Node sees its memory limit from the start, as in a container. */
const START_IN_GROUP = 'echo $$ > "$0/cgroup.procs" && exec "$@"';

/** A cgroup with the limit if this machine allows one; otherwise memory is only watched. */
function limitMemory(): string | undefined {
  for (const parent of CGROUPS) {
    const group = `${parent}/mokuroku-limits-${process.pid}`;
    try {
      mkdirSync(group);
      const file = LIMIT_FILES.find((name) => existsSync(`${group}/${name}`));
      if (file === undefined) throw new Error('no memory controller');
      writeFileSync(`${group}/${file}`, String(MEMORY_LIMIT_BYTES));
      return group;
    } catch {
      if (existsSync(group)) rmdirSync(group);
    }
  }
  return undefined;
}
const CLOCK_TICK_MS = 10;

export interface Attacker {
  text: string;
  /** The client's own address if none is forwarded. */
  from?: string;
  base?: string;
  isReading?: boolean;
}

/** Both services in one process under 512 MB. */
export type LimitedService = Awaited<ReturnType<typeof startLimited>>;

export async function startLimited(settings: Record<string, string>) {
  const cgroup = limitMemory();
  const environment = {
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'error',
    // Node would choose the second value by itself under the limit.
    ...(cgroup === undefined && { NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=256' }),
    ...settings,
  };
  const service = await startServe(
    environment,
    [],
    cgroup === undefined ? undefined : ['sh', '-c', START_IN_GROUP, cgroup, process.execPath, CLI],
  );
  const { catalogue, registration } = service;

  /** Throws how the service ended, if it has: a signal of the kernel, of V8, or an exit code. */
  function expectAlive(): void {
    const { exitCode, signalCode } = service.child;
    const end = signalCode ?? exitCode;
    if (end !== null) throw new Error(`the service ended with ${end}:\n${service.printed().slice(-3_000)}`);
  }

  /** Processor time used by the thread on which both services respond. */
  function usedMs(): number {
    expectAlive();
    const pid = service.child.pid ?? 0;
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    // The name before `)` may contain spaces. User and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
  }

  let others = 0;
  /** One request of another client, below the rate limit of its address, and the service's processor time for it. */
  async function sendAsOther(path: string, dispatcher: Agent) {
    const before = usedMs();
    const headers = { 'x-forwarded-for': `198.51.${Math.floor(others++ / 50)}.1` };
    const { statusCode, body } = await request(catalogue + path, { dispatcher, headers });
    const text = await body.text();
    const refusals = statusCode === 200 ? [] : [`${path}: ${statusCode} ${text.slice(0, 200)}`];
    return { ms: usedMs() - before, refusals };
  }

  /** Sends a request of a client and reads the response; its status. */
  const statusFrom = (localAddress: string, path: string, headers = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      http
        .get(catalogue + path, { localAddress, agent: false, headers }, (response) => {
          response.resume().on('close', () => resolve(response.statusCode));
        })
        .on('error', reject);
    });

  const attackers: Socket[] = [];
  function open({ from, base = catalogue, isReading = false }: Attacker): Socket {
    const port = Number(new URL(base).port);
    const socket = connect({ port, host: '127.0.0.1', ...(from !== undefined && { localAddress: from }) });
    socket.on('error', () => undefined);
    if (isReading) socket.resume();
    else socket.pause();
    attackers.push(socket);
    return socket;
  }
  /** Opens all connections, then sends all requests at once; reads responses as fast as possible, or not at all. */
  async function attack(all: readonly Attacker[]): Promise<void> {
    const sockets = all.map(open);
    await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)));
    // Connections are accepted in their order; an idle one of before may be closed for them.
    for (const base of [catalogue, registration])
      await (await request(`${base}/livez`, { reset: true })).body.dump();
    for (const [index, { text }] of all.entries()) sockets[index]?.write(text);
  }
  function endAttack(): void {
    for (const socket of attackers.splice(0)) socket.destroy();
  }

  for (let time = 0; time < 2; time++)
    await (await request(`${catalogue}/v1/novels?lim=20`, { reset: true })).body.dump();
  return {
    catalogue,
    registration,
    expectAlive,
    usedMs,
    sendAsOther,
    statusFrom,
    attack,
    endAttack,
    residentMib: () => residentMib(service),
    /** Puts another process under the same limit. */
    addProcess: (pid: number) => {
      if (cgroup !== undefined) writeFileSync(`${cgroup}/cgroup.procs`, String(pid));
    },
    end: async () => {
      endAttack();
      await service.end('SIGKILL');
      if (cgroup !== undefined) rmdirSync(cgroup);
    },
  };
}
