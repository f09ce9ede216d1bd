import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { REPORT } from '../src/doctor/report.ts';

/** The published schema of the report of `mokuroku doctor --json`. */
const file = new URL('../docs/doctor-report.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(z.toJSONSchema(REPORT), null, 2)}\n`);
