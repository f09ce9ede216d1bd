import http from 'node:http';
import type { World, WorldOptions } from './loopback-world.ts';
import { listen, open } from './opened-world.ts';

export const RECORD = { objectClassName: 'domain', ldhName: 'example.test', status: ['active'] };
export const HOST = 'rdap.nic.test';

/** A TLD without WHOIS and with a scripted RDAP server; `closeWorld` closes it. */
export async function openRdap(
  answer: http.RequestListener,
  more: WorldOptions = {},
): Promise<World & { requests: string[] }> {
  const requests: string[] = [];
  const port = await listen(
    http.createServer((request, response) => {
      requests.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
      answer(request, response);
    }),
  );
  const world = await open({
    root: { test: { refer: '' } },
    rdap: { test: `http://${HOST}/` },
    ...more,
    ports: { [HOST]: port, 'rdap.other.test': port, ...more.ports },
  });
  return { ...world, requests };
}

/** A record of the requested name. */
export const recordOf = ({ url }: http.IncomingMessage) =>
  JSON.stringify({ ...RECORD, ldhName: (url ?? '').replace('/domain/', '') });
