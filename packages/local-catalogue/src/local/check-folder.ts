import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '@mokuroku/kit/process';

/** Names that a harvest creates in the folder. */
const PARTS = ['novels', 'adult', 'rankings'];

/** Unreadable parts of a catalogue's folder. Parts are optional. */
function folderFault(dir: string, part: string): string | undefined {
  try {
    readdirSync(path.join(dir, part));
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    return `${part} in it ${code === 'ENOTDIR' ? 'must be a folder' : `cannot be read (${code})`}`;
  }
}

/** Throws ConfigError if a part of a local catalogue is no folder or cannot be read. */
export function checkFolder(dir: string): void {
  for (const part of PARTS) {
    const fault = folderFault(dir, part);
    if (fault !== undefined) throw new ConfigError([`CATALOGUE_DIR="${dir}": ${fault}`]);
  }
}
