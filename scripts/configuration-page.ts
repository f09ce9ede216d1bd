import type { z } from 'zod';
import { CATALOGUE_CONFIG } from '../packages/mokuroku/src/catalogue/config.ts';
import { HARVEST_CONFIG } from '../packages/mokuroku/src/cli/harvest-config.ts';
import { PROCESS_CONFIG } from '@mokuroku/kit/service';
import { REGISTRATION_CONFIG } from '../packages/mokuroku/src/registration/config.ts';

// Generates docs/configuration.md from the schemas that read the settings.

interface Setting {
  name: string;
  description: string;
  /** As written in an environment; undefined: none. */
  byDefault: string | undefined;
  /** Allowed values; undefined: any text, or a whole number. */
  allowed: string | undefined;
}

const READERS = [
  { title: 'The process', schema: PROCESS_CONFIG },
  { title: 'Novel catalogue', schema: CATALOGUE_CONFIG },
  { title: 'Harvest', schema: HARVEST_CONFIG },
  { title: 'Domain registration lookup', schema: REGISTRATION_CONFIG },
] as const;

const BEFORE = `# Configuration

For operators. Settings are environment variables, read once at startup; an empty value counts as not set. Each may have
\`MOKUROKU_\` before its name, and then wins over the bare one. Invalid settings end the startup: all of them are listed
with the allowed values. Names close to a setting are reported. A bare \`HOST\` that is not an address of this machine is
ignored with a warning.

<!-- Made from the schemas of the settings by \`npm run configuration\`; changes by hand are lost. -->
`;

const AFTER = `
## The command line

The commands that query a service read only these settings:

### \`MOKUROKU_CATALOGUE_URL\`

Base address of the catalogue service, unless \`--base-url\` is given. (default \`http://127.0.0.1:3000\`)

### \`MOKUROKU_REGISTRATION_URL\`

Base address of the registration service, unless \`--base-url\` is given. (default \`http://127.0.0.1:3001\`)
`;

/**
 * The allowed values of a schema, from its message on a value that no schema accepts. Bounds of numbers are omitted: they
 * matter only to someone who exceeds them, and the message names them.
 */
function allowedBy(schema: z.ZodType): string | undefined {
  const result = schema.safeParse('\u0000');
  const message = result.error?.issues[0]?.message;
  if (message?.startsWith('must be a whole number')) return undefined;
  return message?.replace(/^must be /, '').replace(/; not so: .*$/s, '');
}

/** The settings of a schema. Throws when one has no description: an unexplained setting must not ship. */
function settingsOf(schema: z.ZodObject): Setting[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const { def: definition, description } = field as z.ZodType & { def: { defaultValue?: unknown } };
    if (!description) throw new Error(`The setting ${name} has no description.`);
    const { defaultValue } = definition;
    const byDefault = typeof defaultValue === 'string' ? defaultValue : undefined;
    if (defaultValue !== undefined && byDefault === undefined) {
      throw new Error(`The default of ${name} cannot be shown: give it as text, by prefault.`);
    }
    return { name, description, byDefault, allowed: allowedBy(field as z.ZodType) };
  });
}

function paragraph({ name, description, byDefault, allowed }: Setting): string {
  const values = [
    ...(allowed === undefined ? [] : [allowed]),
    ...(byDefault ? [`default \`${byDefault}\``] : []),
  ];
  const remark = values.length === 0 ? '' : ` (${values.join('; ')})`;
  return `### \`${name}\`\n\n${description}${remark}\n`;
}

const isSame = (a: Setting, b: Setting): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Settings that several readers share are listed once; others under each reader. */
export function configurationPage(): string {
  const readers = READERS.map(({ title, schema }) => ({ title, settings: settingsOf(schema) }));
  const all = readers.flatMap(({ settings }) => settings);
  const isShared = (setting: Setting) => all.filter((other) => isSame(setting, other)).length > 1;
  const shared = all.filter(
    (setting, i) => isShared(setting) && all.findIndex((each) => isSame(each, setting)) === i,
  );
  const sections = [
    { title: 'Shared', settings: shared },
    ...readers.map(({ title, settings }) => ({
      title,
      settings: settings.filter((each) => !isShared(each)),
    })),
  ];
  const text = sections.map(
    ({ title, settings }) => `\n## ${title}\n\n${settings.map(paragraph).join('\n')}`,
  );
  return `${BEFORE}${text.join('')}${AFTER}`;
}

/** Names of all settings, for the tests of the documents. */
export function settingNames(): string[] {
  return [...new Set(READERS.flatMap(({ schema }) => Object.keys(schema.shape)))];
}
