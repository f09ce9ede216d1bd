import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readDeployed as read, startNginx, withoutTls } from './nginx.ts';
import { endWithTest, serve, startProgram } from './running-service.ts';
import type { RunningCommand, RunningProgram } from './running-service.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Checks the files under deploy/ without a container engine: with the programs that read them, and with the proxies
// in front of a running service.

const root = path.resolve(import.meta.dirname, '../..');
const deploy = path.join(root, 'deploy');

function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`, { cause: error });
  return stdout + stderr;
}

/** A GET from another loopback address of this machine, which counts as another client. */
async function getFrom(localAddress: string, url: string, headers: Record<string, string>): Promise<number> {
  const dispatcher = new Agent({ localAddress });
  const { statusCode, body } = await request(url, { dispatcher, headers });
  await body.dump();
  await dispatcher.close();
  return statusCode;
}

/** Starts a proxy on a port, before the catalogue. */
const PROXIES: Record<string, (service: RunningCommand, front: number) => RunningProgram> = {
  nginx: ({ catalogue, registration }, front) => {
    const folder = temporaryFolder();
    // TLS and HTTP/2: nginx-tls.test.ts.
    const site = withoutTls(read('nginx.conf'), front)
      .replaceAll('127.0.0.1:3000', new URL(catalogue).host)
      .replaceAll('127.0.0.1:3001', new URL(registration).host)
      .replaceAll('/var/log/nginx', folder);
    return startNginx(folder, site);
  },
  caddy: ({ catalogue }, front) => {
    const folder = temporaryFolder();
    const site = read('Caddyfile')
      .replaceAll('127.0.0.1:3000', new URL(catalogue).host)
      .replaceAll('novels.example.org {', `http://:${front} {\n\tbind 127.0.0.1`)
      .replace(/domains\.example\.org \{[\s\S]*$/, '');
    writeFileSync(`${folder}/Caddyfile`, `{\n\tadmin off\n\tauto_https off\n}\n${site}`);
    const args = ['run', '--adapter', 'caddyfile', '--config', `${folder}/Caddyfile`];
    return startProgram('caddy', args, { env: { HOME: folder } });
  },
};

describe.each(Object.entries(PROXIES))('behind %s as configured here', (_name, startProxy) => {
  it('each client has its own limit, and a forged X-Forwarded-For gains nothing', async () => {
    const front = await freePort();
    const service = await serve({
      TRUSTED_PROXIES: '127.0.0.1/32,::1',
      RATE_LIMIT: '3',
      LOG_LEVEL: 'silent',
    });
    endWithTest(startProxy(service, front), 'SIGTERM');
    const get = (client: string, at: string, forged: string) =>
      getFrom(client, `http://127.0.0.1:${front}${at}`, {
        Host: 'novels.example.org',
        'X-Forwarded-For': forged,
      });
    await expect.poll(() => get('127.0.0.1', '/readyz', '').catch(() => 0)).toBe(200);
    const forging = [];
    for (let i = 0; i < 4; i++) forging.push(await get('127.0.0.2', '/v1/meta/genres', `198.51.100.${i}`));
    expect(forging).toEqual([200, 200, 200, 429]);
    expect(await get('127.0.0.3', '/v1/meta/genres', '127.0.0.2')).toBe(200);
  });
});

describe('the files', () => {
  it('Caddyfile is valid', () => {
    const env = { ...process.env, HOME: temporaryFolder() };
    const args = ['validate', '--adapter', 'caddyfile', '--config', path.join(deploy, 'Caddyfile')];
    expect(run('caddy', args, { env })).toContain('Valid configuration');
  });

  it('mokuroku@.service runs what mokuroku.service runs, with the ports of its instance', () => {
    const linesOf = (unit: string) =>
      read(unit)
        .split('\n')
        .filter((line) => !line.startsWith('#'));
    const [alone, template] = [linesOf('mokuroku.service'), linesOf('mokuroku@.service')];
    expect(alone.filter((line) => !template.includes(line))).toEqual([
      expect.stringMatching(/^Description=/),
    ]);
    expect(template.filter((line) => !alone.includes(line))).toEqual([
      expect.stringMatching(/^Description=/),
      'Environment=CATALOGUE_PORT=310%i REGISTRATION_PORT=320%i METRICS_PORT=330%i',
      'User=mokuroku',
    ]);
  });

  it.each(['mokuroku.service', 'mokuroku@.service', 'mokuroku-harvest.service'])(
    'the systemd unit %s is valid',
    (name) => {
      expect(run('systemd-analyze', ['verify', path.join(deploy, name)])).toBe('');
    },
  );

  it('the harvests of systemd and compose pass only options that the command accepts', () => {
    const { services, volumes } = parse(read('compose.yaml')) as {
      services: Record<string, { command: string; volumes?: string[] }>;
      volumes: object;
    };
    const help = run(process.execPath, ['packages/mokuroku/dist/cli.js', 'harvest', '--help'], { cwd: root });
    const ofUnit = /^ExecStart=.*mokuroku (harvest .*)$/m.exec(read('mokuroku-harvest.service'))?.[1];
    for (const command of [services['harvest']?.command, ofUnit]) {
      const options = command?.match(/--[a-z]+/g) ?? [];
      expect(options).toContain('--follow');
      for (const option of options) expect(help).toContain(`${option} `);
    }
    // The service reads what the harvest writes.
    expect(services['harvest']?.volumes).toEqual(['catalogue:/catalogue']);
    expect(services['mokuroku']?.volumes).toContain('catalogue:/catalogue:ro');
    expect(Object.keys(volumes)).toContain('catalogue');
    expect(read('Dockerfile')).toMatch(/chown node:node .*\/catalogue/);
  });
});

/** `COPY` lines from the build folder, without their flags: sources and destination. */
function copiesFromContext(dockerfile: string): string[][] {
  const lines = dockerfile
    .split('\n')
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='));
  return lines.map((line) => line.split(/\s+/).slice(1));
}

/** The commands of a stage, between its FROM line and the next. */
function commandsOf(dockerfile: string, stage: string): string[] {
  const text = dockerfile.split(/^FROM /m).find((each) => each.startsWith(`node AS ${stage}`)) ?? '';
  return [...text.matchAll(/^RUN (.*)$/gm)].map(([, command = '']) => command);
}

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile');

  it('takes its base by digest, and every package from a lockfile', () => {
    expect(dockerfile.match(/^FROM .*$/gm)?.map((line) => line.replace(/[0-9a-f]{64}/, 'DIGEST'))).toEqual([
      'FROM node:24-bookworm-slim@sha256:DIGEST AS node',
      'FROM node AS build',
      'FROM node',
    ]);
    expect(dockerfile).not.toMatch(/npm (?:install|i) |npm ci(?!.*--ignore-scripts)/);
  });

  it('copies only files that exist and that .dockerignore admits', () => {
    const ignore = readFileSync(path.join(root, '.dockerignore'), 'utf8');
    const passed = [...ignore.matchAll(/^!(\S+)$/gm)].map(([, name]) => name);
    for (const sources of copiesFromContext(dockerfile).map((words) => words.slice(0, -1))) {
      for (const source of sources) {
        expect(existsSync(path.join(root, source))).toBe(true);
        expect(passed).toContain(source);
      }
    }
  });

  it(
    'its steps, run by hand, produce a healthy service and a check that notices when it is not',
    { timeout: 300_000 },
    async () => {
      const build = temporaryFolder();
      for (const words of copiesFromContext(dockerfile)) {
        const destination = words.at(-1) ?? '.';
        for (const source of words.slice(0, -1)) {
          const name = destination.endsWith('/') ? path.basename(source) : '';
          const to = path.join(build, destination, name);
          cpSync(path.join(root, source), to, {
            recursive: true,
            filter: (file) => !file.endsWith('.test.ts'),
          });
        }
      }
      for (const command of commandsOf(dockerfile, 'build')) run('sh', ['-c', command], { cwd: build });
      const app = path.join(build, 'app');
      expect(readdirSync(path.join(app, 'node_modules'))).toContain('ioredis');
      expect(readdirSync(path.join(app, 'node_modules'))).not.toContain('esbuild');

      const check = (environment: Record<string, string>) =>
        spawnSync(process.execPath, [path.join(deploy, 'health-check.mjs')], { env: environment }).status;
      const ports = { CATALOGUE_PORT: String(await freePort()), REGISTRATION_PORT: String(await freePort()) };
      expect(check(ports)).toBe(1);
      const service = startProgram(process.execPath, ['dist/cli.js', 'serve'], {
        cwd: app,
        env: { ...ports, HOST: '0.0.0.0', NODE_ENV: 'production', LOG_LEVEL: 'silent' },
      });
      endWithTest(service);
      await expect.poll(() => check(ports), { timeout: 60_000, interval: 200 }).toBe(0);
      expect((await service.end('SIGTERM')).code).toBe(0);
    },
  );
});
