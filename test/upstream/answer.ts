import { gzipSync } from 'node:zlib';
import { UpstreamError } from './protocol.ts';
import type { Interface, InterfaceRequest, RequestParameters, Row, HttpResponse } from './protocol.ts';
import { faultRows } from './faults.ts';
import type { NarouServerSwitches } from './switches.ts';

const TYPES = {
  json: 'application/json; charset=utf-8',
  jsonp: 'application/javascript; charset=utf-8',
  yaml: 'text/yaml; charset=utf-8',
  gzip: 'application/x-gzip',
  error: 'text/plain; charset=utf-8',
  html: 'text/html; charset=UTF-8',
} as const;
type Type = keyof typeof TYPES;

const headersFor = (type: Type, { contentType }: NarouServerSwitches): Record<string, string> =>
  contentType === 'none' ? {} : { 'content-type': contentType === 'html' ? TYPES.html : TYPES[type] };

/** A web page, as the upstream's web server sends it. */
export function htmlPage(status: number, text: string, switches: NarouServerSwitches): HttpResponse {
  const html = `<!DOCTYPE html>\n<html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>\n`;
  return { status, headers: headersFor('html', switches), body: Buffer.from(html) };
}

/** A line of plain text, as the upstream sends its errors. */
export function plainText(status: number, text: string, switches: NarouServerSwitches): HttpResponse {
  return { status, headers: headersFor('error', switches), body: Buffer.from(text) };
}

const HEX = Buffer.from('0123456789abcdef');
const [BACKSLASH = 0, LETTER_U = 0] = Buffer.from('\\u');

/** A text in ASCII, its other characters as `\uXXXX`. */
function inAscii(text: string): string {
  const bytes = Buffer.allocUnsafe(text.length * 6);
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes[end++] = unit;
    else {
      bytes[end++] = BACKSLASH;
      bytes[end++] = LETTER_U;
      for (let shift = 12; shift >= 0; shift -= 4) bytes[end++] = HEX[(unit >> shift) & 15] as number;
    }
  }
  return bytes.toString('latin1', 0, end);
}

/**
 * As PHP's `json_encode` with its default flags: compact, `\/`, lower-case `\uXXXX` for everything outside ASCII
 * (recorded responses of 2016 to 2026). An empty record is an empty PHP array, and so a list.
 */
function toPhpJson(rows: readonly Row[]): string {
  const text = JSON.stringify(rows.map((row) => (Object.keys(row).length === 0 ? [] : row)));
  return inAscii(text.replaceAll('/', '\\/'));
}

/** `libtype` of 2 and more is the stricter library, which quotes all text (manuals, August 2025). */
async function toYaml(rows: readonly Row[], libtype: number): Promise<string> {
  // Rarely requested, so loaded on use.
  const { stringify } = await import('yaml');
  const quoting =
    libtype >= 2 ? ({ defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const) : {};
  return `---\n${stringify(rows, { ...quoting, lineWidth: 0 })}`;
}

// The manuals' rule for callback names.
const CALLBACK = /^\$?[a-zA-Z0-9[\]._]+$/;
const NOT_OFFERED = ['atom', 'php'];

/** The text of a response in the format of `out`; YAML without it. */
export async function formatRows(
  rows: readonly Row[],
  parameters: RequestParameters,
  switches: NarouServerSwitches,
): Promise<{ type: Type; text: string }> {
  const out = parameters.get('out') ?? 'yaml';
  if (out === 'json') return { type: 'json', text: toPhpJson(rows) };
  if (out === 'jsonp') {
    const callback = parameters.get('callback') ?? '';
    if (CALLBACK.test(callback)) return { type: 'jsonp', text: `${callback}(${toPhpJson(rows)})` };
    if (switches.badCallback === 'error') throw new UpstreamError('Error: Invalid callback.');
    return { type: 'json', text: toPhpJson(rows) };
  }
  if (NOT_OFFERED.includes(out)) throw new UpstreamError(`Error: out=${out} is not offered by this server.`);
  if (out !== 'yaml' && switches.unknownOut === 'error') throw new UpstreamError('Error: Invalid out.');
  return { type: 'yaml', text: await toYaml(rows, Number(parameters.get('libtype') ?? 0)) };
}

/** Calls an interface and turns its rows, or its plain-text error, into an HTTP response. */
export async function responseFrom(respond: Interface, request: InterfaceRequest): Promise<HttpResponse> {
  const { parameters, switches } = request;
  const text = parameters.get('gzip') ?? '';
  const level = /^[1-5]$/.test(text) ? Number(text) : 0;
  /** A gzip file as the body, not a content coding: no header announces it, and the client unpacks it. */
  const pack = ({ status, body }: HttpResponse): HttpResponse => ({
    status,
    headers: headersFor('gzip', switches),
    body: gzipSync(body, { level }),
  });
  try {
    const rows = faultRows(await respond(request), switches);
    const written = await formatRows(rows, parameters, switches);
    const answer = {
      status: 200,
      headers: headersFor(written.type, switches),
      body: Buffer.from(written.text),
    };
    return level === 0 ? answer : pack(answer);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const answer = plainText(switches.errorStatus, error.message, switches);
    return level !== 0 && switches.errorGzipped ? pack(answer) : answer;
  }
}
