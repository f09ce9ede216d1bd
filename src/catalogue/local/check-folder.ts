import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../process/config.ts';

/** What a harvest makes in the folder of a catalogue. */
const PARTS = ['novels', 'adult', 'rankings'];

/** What cannot be read in the folder of a catalogue. A part need not be there. */
function faultOf(dir: string, part: string): string | undefined {
  try {
    readdirSync(path.join(dir, part));
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    return `${part} in it ${code === 'ENOTDIR' ? 'must be a folder' : `cannot be read (${code})`}`;
  }
}

/** Throws ConfigError where a part of a local catalogue is no folder, or cannot be read. */
export function checkFolder(dir: string): void {
  for (const part of PARTS) {
    const fault = faultOf(dir, part);
    if (fault !== undefined) throw new ConfigError([`CATALOGUE_DIR="${dir}": ${fault}`]);
  }
}
