import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with the request for a path. */
export type Respond = (response: http.ServerResponse, path: string) => void;

/** Answers with JSON, or a text as it is. */
export const say =
  (status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}): Respond =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export interface AnsweringServer {
  baseUrl: string;
  /** Paths with their queries, in the order in which they were asked for. */
  asked: string[];
  /** What it does next; the last one is done again and again. */
  answers: Respond[];
  close: () => Promise<void>;
}

/** A service on loopback that says what a test wants said. */
export async function startAnsweringServer(): Promise<AnsweringServer> {
  const answering: AnsweringServer = {
    baseUrl: '',
    asked: [],
    answers: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = http.createServer(({ url = '' }, response) => {
    const { answers, asked } = answering;
    asked.push(url);
    const respond = answers.length > 1 ? answers.shift() : answers[0];
    respond?.(response, url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  answering.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return answering;
}
