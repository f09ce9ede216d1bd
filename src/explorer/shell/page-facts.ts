/** What the running service has written into the head of the page (`withFacts` of http/pages.ts); undefined: nothing. */
export const pageFact = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;

/** The address of a page on another host, or (`:3001`) on another port of the one that the reader has come to. */
export const addressOfPage = (address: string, { protocol, hostname }: Location): string =>
  address.startsWith(':') ? `${protocol}//${hostname}${address}/` : `${address}/`;
