/** Address of a server. */
export interface HostPort {
  host: string;
  port: number;
}

/** Maps server names to other addresses, for tests and closed networks. */
export type HostMap = ReadonlyMap<string, HostPort>;

const HOST_AND_PORT = /^(\[[\da-f:.]+\]|[a-z0-9][a-z0-9.-]*):(\d{1,5})$/i;

/** Parses `whois.iana.org:43`, `127.0.0.1:4343` or `[::1]:4343`; undefined if invalid. */
export function parseEndpoint(text: string): HostPort | undefined {
  const [, host, digits] = HOST_AND_PORT.exec(text) ?? [];
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, '').toLowerCase(), port };
}

/** Parses one `name=address:port` of HOST_MAP; undefined if invalid. */
export function parseHostMapping(text: string): [string, HostPort] | undefined {
  const equals = text.indexOf('=');
  const name = text.slice(0, Math.max(equals, 0)).trim().toLowerCase();
  const endpoint = parseEndpoint(text.slice(equals + 1).trim());
  return name === '' || endpoint === undefined ? undefined : [name, endpoint];
}
