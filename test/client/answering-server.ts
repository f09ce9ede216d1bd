import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** The server's behaviour for a path. */
export type Respond = (response: http.ServerResponse, path: string) => void;

/** Responds with JSON, or with a text as it is. */
export const say =
  (status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}): Respond =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export interface AnsweringServer {
  baseUrl: string;
  /** Requested paths with their queries, in order. */
  requests: string[];
  /** The next behaviours; the last one is repeated. */
  answers: Respond[];
  close: () => Promise<void>;
}

/** A loopback service with scripted responses. */
export async function startAnsweringServer(): Promise<AnsweringServer> {
  const answering: AnsweringServer = {
    baseUrl: '',
    requests: [],
    answers: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = http.createServer(({ url = '' }, response) => {
    const { answers, requests } = answering;
    requests.push(url);
    const respond = answers.length > 1 ? answers.shift() : answers[0];
    respond?.(response, url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  answering.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return answering;
}
