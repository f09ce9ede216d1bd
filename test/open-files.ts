import fs from 'node:fs';

/** Files of a folder that this process has open. */
export const openFiles = (dir: string): string[] =>
  fs.readdirSync('/proc/self/fd').flatMap((file) => {
    try {
      const name = fs.readlinkSync(`/proc/self/fd/${file}`);
      return name.startsWith(dir) ? [name] : [];
    } catch {
      return []; // Closed meanwhile.
    }
  });
