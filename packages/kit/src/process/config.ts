import fs from 'node:fs';
import { z } from 'zod';
import { withoutPasswords } from '../requests.ts';

/** A startup that fails: names every invalid setting at once, with the allowed values. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`Invalid settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** In the form of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads one service's settings from the environment. Throws ConfigError with every fault. */
export function readConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment,
): Readonly<z.output<Schema>> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    // An empty value counts as not set.
    const value = environment[name]?.trim() ?? '';
    if (value !== '') given[name] = value;
  }
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => {
    const name = String(path[0] ?? '');
    // The name as written: see withoutPrefix in cli/settings-environment.ts.
    const prefix = environment[`MOKUROKU_${name}`]?.trim() ? 'MOKUROKU_' : '';
    return `${prefix}${name}=${JSON.stringify(withoutPasswords(given[name] ?? ''))}: ${message}`;
  });
  throw new ConfigError(faults);
}

/** Ends the transformation of a text that is not valid, with the reason. */
export function rejectValue(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** A whole number in digits, within bounds. */
export function wholeNumberSetting(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, message);
}

/** A TCP port; 0 means any free one. */
export const portNumber = () => wholeNumberSetting(0, 65_535);

/** A time in milliseconds, up to an hour. */
export const milliseconds = () => wholeNumberSetting(1, 3_600_000);

export const httpAddress = () =>
  z
    .string()
    .refine(
      (text) => /^https?:\/\/[^\s"'<>]+$/.test(text) && URL.canParse(text),
      'must be an address that begins with http:// or https://',
    );

/** A value of a request header. */
export const headerText = () =>
  z.string().regex(/^[\x20-\x7e]{1,300}$/, 'must be up to 300 printable ASCII characters');

function isFolder(path: string): boolean {
  try {
    return fs.statSync(path).isDirectory();
  } catch {
    return false;
  }
}

export const existingFolder = () => z.string().refine(isFolder, 'must be a folder that exists');

/** `a,b,c`: blanks around the parts are trimmed, empty parts dropped. */
export const commaList = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
