import http from 'node:http';
import { rootObject } from './loopback-world.ts';
import type { WhoisReply, World, WorldOptions } from './loopback-world.ts';
import { listen, listenHttp, open } from './opened-world.ts';

export const RECORD = { objectClassName: 'domain', ldhName: 'example.test', status: ['active'] };
export const HOST = 'rdap.nic.test';

/** A TLD without WHOIS and with a scripted RDAP server. */
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

/** What a scripted RDAP server sends about a name: its record, a redirect to a host that has it, or a response. */
type ListedAnswer = 'record' | 'redirect' | { status: number; body: string };

/**
 * .uk.com, .bz and .lc, whose servers stand in the built-in list alone. The WHOIS server is unreachable unless it is
 * given. Requests over TLS go to a server on loopback instead.
 */
export async function openListedRdap(
  answerTo: (name: string) => ListedAnswer,
  whois: Record<string, WhoisReply> = {},
): Promise<World & { requests: string[] }> {
  const requests: string[] = [];
  const port = await listenHttp((request, response) => {
    const name = (request.url ?? '').split('/').at(-1) ?? '';
    const isFirstHost = request.headers['x-host'] !== 'rdap.other.test';
    if (isFirstHost) requests.push(name);
    const answer = isFirstHost ? answerTo(name) : 'record';
    if (answer === 'record') response.end(JSON.stringify({ ...RECORD, ldhName: name }));
    else if (answer === 'redirect')
      response.writeHead(302, { Location: `https://rdap.other.test/domain/${name}` }).end();
    else response.writeHead(answer.status, { 'Content-Length': answer.body.length }).end(answer.body);
  });
  const world = await open({
    root: { bz: rootObject('bz', ''), lc: rootObject('lc', ''), com: { refer: 'whois.nic.test' } },
    whois,
    fetch: (url, init) => {
      const { hostname, pathname } = new URL(url);
      const headers = { ...init.headers, 'x-host': hostname };
      return fetch(`http://127.0.0.1:${port}${pathname}`, { ...init, headers });
    },
  });
  return { ...world, requests };
}

/** The response with the record of a name. */
export const found = (name: string) => new Response(JSON.stringify({ ...RECORD, ldhName: name }));
