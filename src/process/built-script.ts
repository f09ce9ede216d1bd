import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A script that the build puts beside the program, to be run in a thread of its own. Undefined where it has not been
 * built: sources are run as they are, in tests.
 */
export function builtScript(name: string): URL | undefined {
  // The program is in dist/, what it shares with others in a folder below.
  const folders = [import.meta.dirname, path.dirname(import.meta.dirname)];
  const file = folders.map((folder) => path.join(folder, `${name}.js`)).find((each) => existsSync(each));
  return file === undefined ? undefined : pathToFileURL(file);
}
