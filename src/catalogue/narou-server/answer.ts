import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Format, writeRows } from './formats.ts';
import type { Interface, InterfaceRequest } from './interfaces.ts';
import { NothingMatches, UpstreamError } from './parameters.ts';
import { spoilRows } from './record-faults.ts';
import type { NarouServerSwitches } from './switches.ts';

const compress = promisify(gzip);

/** A whole HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

type Kind = Format | 'gzip' | 'error' | 'html';

const TYPES: Readonly<Record<Kind, string>> = {
  json: 'application/json; charset=utf-8',
  jsonp: 'application/javascript; charset=utf-8',
  php: 'text/plain; charset=utf-8',
  yaml: 'text/yaml; charset=utf-8',
  gzip: 'application/x-gzip',
  error: 'text/plain; charset=utf-8',
  html: 'text/html; charset=UTF-8',
};

const headersFor = (kind: Kind, { contentType }: NarouServerSwitches): Record<string, string> => {
  if (contentType === 'none') return {};
  return { 'content-type': contentType === 'html' ? TYPES.html : TYPES[kind] };
};

/** A web page, as a web server in front of the upstream gives it. */
export function page(status: number, text: string, switches: NarouServerSwitches): Answer {
  const html = `<!DOCTYPE html>\n<html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>\n`;
  return { status, headers: headersFor('html', switches), body: Buffer.from(html) };
}

/** A line of plain text, as the upstream gives its errors. */
export function plainText(status: number, text: string, switches: NarouServerSwitches): Answer {
  return { status, headers: headersFor('error', switches), body: Buffer.from(text) };
}

/** The level of `gzip`, 1 to 5, or null: anything else is as if left out. */
const gzipLevel = (request: InterfaceRequest): number | null => {
  const text = request.parameters.get('gzip') ?? '';
  return /^[1-5]$/.test(text) ? Number(text) : null;
};

/** A gzip file as the body. It is not a content coding: no header says so, the client unpacks it by itself. */
const pack = async (answer: Answer, level: number, switches: NarouServerSwitches): Promise<Answer> => ({
  status: answer.status,
  headers: headersFor('gzip', switches),
  body: await compress(answer.body, { level }),
});

/** Asks an interface and makes its answer, or its plain-text error, into HTTP. */
export async function answerFrom(ask: Interface, request: InterfaceRequest): Promise<Answer> {
  const { parameters, switches } = request;
  const level = gzipLevel(request);
  try {
    const { format, text } = writeRows(spoilRows(ask(request), switches), parameters, switches);
    const answer = { status: 200, headers: headersFor(format, switches), body: Buffer.from(text) };
    return level === null ? answer : await pack(answer, level, switches);
  } catch (error) {
    if (!(error instanceof UpstreamError || error instanceof NothingMatches)) throw error;
    const answer = plainText(switches.errorStatus, error.message, switches);
    return level !== null && switches.errorGzipped ? await pack(answer, level, switches) : answer;
  }
}
