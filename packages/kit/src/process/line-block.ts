const BLOCK_BYTES = 65_536;

/**
 * Collects lines and writes them as one text when 64 kB are full or on flush: much cheaper than passing each line to
 * the log's stream (measured on Node 20.20). Latin-1 only.
 */
export function createLineBlock(write: (text: string) => void) {
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  let used = 0;

  function flush(): void {
    if (used === 0) return;
    const text = buffer.toString('latin1', 0, used);
    used = 0;
    write(text);
  }

  return {
    flush,
    append: (line: string): void => {
      if (line.length > BLOCK_BYTES) {
        flush();
        write(line);
        return;
      }
      if (used + line.length > BLOCK_BYTES) flush();
      used += buffer.write(line, used, 'latin1');
    },
  };
}
