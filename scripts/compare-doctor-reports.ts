import { existsSync, readFileSync } from 'node:fs';
import { doctorChanges } from './doctor-changes.ts';

// node compare-doctor-reports.ts BEFORE NOW: prints the changes. BEFORE may be missing.

const [before = '', now = ''] = process.argv.slice(2);
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const changes = doctorChanges(existsSync(before) ? read(before) : undefined, read(now));
if (changes !== '') process.stdout.write(`${changes}\n`);
