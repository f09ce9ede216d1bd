/** Decodes one whole WHOIS answer: strict UTF-8 first, else windows-1252, which reads any byte. */
export function decodeWhois(bytes: Uint8Array, server: string | null): string {
  void server;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
