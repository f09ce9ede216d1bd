/**
 * A value that the running service has written into the head of the page (`factTags` of http/pages.ts); undefined if
 * missing.
 */
export const pageFact = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;

/** False: the service has nothing of this part at present. */
export const isOffered = (part: 'adult' | 'rankings' | 'users'): boolean => pageFact(part) !== 'off';

/** Whether the data of this service are invented. */
export const isSample = (): boolean => pageFact('sample') !== undefined;

/** Whether the source is a catalogue of this service, or the sample, which can do the same. */
export const isLocal = (): boolean => pageFact('local') !== undefined;

/** The URL of a page on another host, or (`:3001`) on another port of the current host. */
export const addressOfPage = (address: string, { protocol, hostname }: Location): string =>
  address.startsWith(':') ? `${protocol}//${hostname}${address}/` : `${address}/`;
