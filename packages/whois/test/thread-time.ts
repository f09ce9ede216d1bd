import { existsSync, readFileSync } from 'node:fs';

const FILE = '/proc/thread-self/schedstat';

/** Whether the system counts it: Linux does. */
export const hasThreadTime = existsSync(FILE);

/** Nanoseconds of processor time of this thread. That of the process has the tests beside it, too. */
export const threadTime = (): number => Number(readFileSync(FILE, 'utf8').split(' ', 1));
