import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from './running-service.ts';
import type { RunningProgram } from './running-service.ts';

/** A file of deploy/. */
export const readDeployed = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../deploy', name), 'utf8');

/** The servers of nginx.conf, on one port without TLS. */
export const withoutTls = (site: string, port: number): string =>
  site
    .replace(/server \{\s+listen 80;[^}]*\}/, '')
    .replaceAll('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replaceAll(/ssl_certificate.*;/g, '');

/** nginx with these servers, and its own files in a folder. */
export function startNginx(folder: string, servers: string): RunningProgram {
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = scratch.map((each) => `${each}_temp_path ${folder}/${each};`).join(' ');
  writeFileSync(
    `${folder}/nginx.conf`,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
http { access_log off; ${paths}\n${servers} }`,
  );
  return startProgram('nginx', ['-e', `${folder}/early.log`, '-c', `${folder}/nginx.conf`]);
}
