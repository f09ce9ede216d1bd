import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { broken, warning, ok } from '../check.ts';
import type { Row } from '../check.ts';
import type { FolderSetting, MachineFacts } from './machine-facts.ts';

const inGigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);

/** The existing parent in which a missing folder would be created. */
function existingPart(folder: string): string {
  const above = path.dirname(folder);
  return existsSync(folder) || above === folder ? folder : existingPart(above);
}

/** Why a folder is unusable (`EACCES`); undefined if it is usable. Its path is not named: it may be personal. */
async function accessFault(folder: string, isWritten: boolean): Promise<string | undefined> {
  try {
    await fs.access(folder, fs.constants.R_OK | (isWritten ? fs.constants.W_OK : 0));
    return (await fs.stat(folder)).isDirectory() ? undefined : 'ENOTDIR';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

export const folderCheck = (setting: FolderSetting): Row<MachineFacts> => ({
  id: `folder-${setting.name.toLowerCase().replace(/_dir$/, '')}`,
  title: 'Folder of {name}',
  titleValues: { name: setting.name },
  run: async () => {
    const { name, isCreatedIfMissing, requiredFreeBytes } = setting;
    const folder = isCreatedIfMissing ? existingPart(path.resolve(setting.folder)) : setting.folder;
    const reason = await accessFault(folder, isCreatedIfMissing);
    if (reason !== undefined) {
      const advice = 'Make the folder of {name}, with rights for this user.';
      return broken('it cannot be used ({reason})', { reason, name }, advice);
    }
    const { bavail, bsize } = await fs.statfs(folder);
    const free = bavail * bsize;
    const values = { free: inGigabytes(free), required: inGigabytes(requiredFreeBytes) };
    return free >= requiredFreeBytes
      ? ok('{free} GB are free', values)
      : warning('{free} GB are free', values, 'Free disk space: up to {required} GB may be needed.');
  },
});
