import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** A fault of a static server for one request. */
export type StaticFault =
  /** Closes the connection after this many bytes of the body, which may be the whole one whatever range was requested. */
  | { readonly cutAfter: number; readonly ignoresRange?: true }
  /** Ends the response there, as if it were complete. */
  | { readonly endAfter: number }
  /** Flips one bit of the body. */
  | 'wrong-bytes'
  | 'longer'
  | 'ignore-range'
  /** Responds with another range than requested. */
  | 'other-range'
  | 'gzip'
  | { readonly status: number; readonly location?: string };

export interface StaticServer {
  readonly url: string;
  /** Each request: its path in the folder, its range, and the status. */
  readonly requests: { file: string; range: string | undefined; status: number; bytes: number }[];
  readonly authorizations: Set<string | undefined>;
  /** Called before each response: resolves to its fault. */
  fault: (file: string, range: string | undefined) => StaticFault | undefined;
  /** Called after each response. */
  afterwards: (file: string) => void;
  close(): Promise<void>;
}

const isText = (fault: StaticFault | undefined, text: StaticFault): boolean => fault === text;

/** A plain web server over a folder, like nginx: ranges, validators, no listings. */
export async function startStaticServer(root: string, port = 0): Promise<StaticServer> {
  const server = http.createServer((request, response) => {
    const file = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname).slice(1);
    const given = request.headers.range;
    own.authorizations.add(request.headers.authorization);
    const fault = own.fault(file, given);
    const end = (status: number, headers: http.OutgoingHttpHeaders, body?: Buffer): void => {
      own.requests.push({ file, range: given, status, bytes: body?.length ?? 0 });
      response.writeHead(status, headers);
      if (typeof fault === 'object' && 'cutAfter' in fault && body) {
        response.write(body.subarray(0, fault.cutAfter), () => response.destroy());
      } else response.end(body);
      response.once('close', () => {
        own.afterwards(file);
      });
    };
    if (typeof fault === 'object' && 'status' in fault) {
      end(fault.status, fault.location === undefined ? {} : { location: fault.location });
      return;
    }
    const filePath = path.join(root, file);
    const result = fs.statSync(filePath, { throwIfNoEntry: false });
    if (!result?.isFile()) {
      end(404, {});
      return;
    }
    const etag = `"${result.mtimeMs.toString(16)}-${result.size.toString(16)}"`;
    if (request.headers['if-none-match'] === etag) {
      end(304, { etag });
      return;
    }
    let body = fs.readFileSync(filePath);
    const total = body.length;
    const from = Number(/^bytes=(\d+)-$/.exec(given ?? '')?.[1] ?? -1);
    const ignoresRange =
      isText(fault, 'ignore-range') || (typeof fault === 'object' && 'ignoresRange' in fault);
    const isRange = from >= 0 && !ignoresRange;
    if (isRange && from >= total) {
      end(416, { 'content-range': `bytes */${total}` });
      return;
    }
    const start = isRange ? (isText(fault, 'other-range') ? 0 : from) : 0;
    body = body.subarray(start);
    if (typeof fault === 'object' && 'endAfter' in fault) body = body.subarray(0, fault.endAfter);
    if (isText(fault, 'wrong-bytes'))
      body = Buffer.from(body.map((byte, at) => (at === 0 ? byte ^ 1 : byte)));
    if (isText(fault, 'longer')) body = Buffer.concat([body, Buffer.from('more')]);
    const encoding = isText(fault, 'gzip') ? { 'content-encoding': 'gzip' } : {};
    const range = isRange ? { 'content-range': `bytes ${start}-${total - 1}/${total}` } : {};
    end(isRange ? 206 : 200, { etag, ...encoding, ...range, 'content-length': body.length }, body);
  });
  const own: StaticServer = {
    url: '',
    requests: [],
    authorizations: new Set(),
    fault: () => undefined,
    afterwards: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return Object.assign(own, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
}
