/** A command for a POSIX shell that repeats a call: the URL in single quotes, with compression. */
export function toCurl(url: string): string {
  return `curl --compressed '${url.replaceAll("'", "'\\''")}'`;
}

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
