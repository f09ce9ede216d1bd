import { unpackLayers } from '../../catalogue/narou/reply.ts';
import type { HttpReply } from '../../catalogue/narou/transport.ts';
import { parseJson } from '../../process/json.ts';

/** A reply of the novel site with its metadata. */
export interface SiteReply {
  readonly status: number;
  /** `application/json`, without parameters; `none` if missing. */
  readonly contentType: string;
  /** The `Date` header, in milliseconds since 1970; NaN if missing. */
  readonly date: number;
  /** When it was received, by this machine's clock. */
  readonly readAt: number;
  /** Whether the body was a gzip file. */
  readonly isPacked: boolean;
  readonly text: string;
  /** One of the site's plain-text errors. */
  readonly errorText: string | undefined;
  readonly json: unknown;
  /** The records without the leading count; undefined if it is no list. */
  readonly records: readonly Record<string, unknown>[] | undefined;
  readonly ncodes: readonly string[];
  readonly allcount: number | undefined;
  /** `error`, `empty`, `rows`, or the status of something unknown. */
  readonly kind: string;
}

const ERROR_TEXT = /^\s*(?:Error:|DATE ERROR\[)/;

export async function readSiteReply(reply: HttpReply, maxBytes: number, readAt: number): Promise<SiteReply> {
  const bytes = await unpackLayers(reply.body, maxBytes);
  const text = bytes.toString().replace(/^\ufeff/, '');
  const errorText = ERROR_TEXT.test(text) ? text.trim().slice(0, 200) : undefined;
  const json = parseJson(text);
  const rows = Array.isArray(json) ? (json as (Record<string, unknown> | null)[]) : undefined;
  const records = rows?.filter((row) => row !== null && typeof row === 'object' && !('allcount' in row));
  const allcount = rows?.[0]?.['allcount'];
  return {
    status: reply.status,
    contentType: reply.contentType?.split(';')[0]?.trim().toLowerCase() ?? 'none',
    date: Date.parse(reply.date ?? ''),
    readAt,
    isPacked: bytes !== reply.body,
    text,
    errorText,
    json,
    records: records as SiteReply['records'],
    ncodes: (records ?? []).map((record) => String(record?.['ncode']).toUpperCase()),
    allcount: typeof allcount === 'number' ? allcount : undefined,
    kind:
      errorText !== undefined
        ? 'error'
        : records === undefined
          ? `other (${reply.status})`
          : records.length === 0
            ? 'empty'
            : 'rows',
  };
}
