import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Version of the package; a test compares it with package.json. */
export const VERSION = '0.1.0';

/**
 * A script that the build puts beside the program, run in its own thread. Undefined if not built: tests run the
 * sources directly.
 */
export function builtScript(name: string): URL | undefined {
  // The program is in dist/, shared chunks in a folder below.
  const folders = [import.meta.dirname, path.dirname(import.meta.dirname)];
  const file = folders.map((folder) => path.join(folder, `${name}.js`)).find((each) => existsSync(each));
  return file === undefined ? undefined : pathToFileURL(file);
}
