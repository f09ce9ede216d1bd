import type http from 'node:http';
import { startHttp } from '../http/serve-http.ts';

/** The server's behaviour for a path. */
export type Respond = (response: http.ServerResponse, path: string) => void;

/** Responds with JSON, or with a text as it is. */
export const say =
  (status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}): Respond =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Responds to each request by its query; a body with an `error` is a 400. */
export const sayByQuery =
  (bodyOf: (query: URLSearchParams) => object): Respond =>
  (response, path) => {
    const body = bodyOf(new URL(path, 'http://server').searchParams);
    say('error' in body ? 400 : 200, body)(response, path);
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
  const { url: baseUrl, close } = await startHttp(({ url = '' }, response) => {
    const { answers, requests } = answering;
    requests.push(url);
    const respond = answers.length > 1 ? answers.shift() : answers[0];
    respond?.(response, url);
  });
  const answering: AnsweringServer = { baseUrl, requests: [], answers: [], close };
  return answering;
}
