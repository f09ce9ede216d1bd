/** Quotes a text for a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A command that repeats a call, with compression. */
export const toCurl = (url: string): string => `curl --compressed ${shellQuoted(url)}`;

/** A path with readable Japanese. Escapes that are invalid, or would change the URL, stay. */
export function toReadable(path: string): string {
  return path.replaceAll('%2C', ',').replace(/(?:%[89A-F][0-9A-F])+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
