import type { z } from 'zod';
import { CATALOGUE_CONFIG } from '../src/catalogue/config.ts';
import { HARVEST_CONFIG } from '../src/catalogue/harvest/config.ts';
import { PROCESS_CONFIG } from '../src/service/settings.ts';
import { REGISTRATION_CONFIG } from '../src/registration/config.ts';

// docs/configuration.md, made from the schemas that read the settings.

interface Setting {
  name: string;
  description: string;
  /** As it would be written; undefined: none. */
  byDefault: string | undefined;
  /** What may be given; undefined: any text. */
  allowed: string | undefined;
}

const READERS = [
  { title: 'The process', schema: PROCESS_CONFIG },
  { title: 'Novel catalogue', schema: CATALOGUE_CONFIG },
  { title: 'Harvest', schema: HARVEST_CONFIG },
  { title: 'Domain registration lookup', schema: REGISTRATION_CONFIG },
] as const;

const BEFORE = `# Configuration

Settings are environment variables, read once at the start. Each may have \`MOKUROKU_\` before its name, and then wins over
the bare one. A bare \`HOST\` that is no address of this machine is ignored with a warning; names close to a setting are
reported. One that is set to nothing counts as not set. A start with
bad settings ends at once and names every one of them, with what would be right. \`npm start\` and \`mokuroku serve\`
run both services in one process; each reads its own settings and the shared ones.

<!-- Made from the schemas in src/ by \`npm run configuration\`; changes by hand are lost. -->
`;

const AFTER = `
## The command line

The commands that ask a service read these, and no other setting:

### \`MOKUROKU_CATALOGUE_URL\`

Base address of the catalogue service that is asked where \`--base-url\` does not name one.

Default: \`http://127.0.0.1:3000\`.

### \`MOKUROKU_REGISTRATION_URL\`

Base address of the registration service that is asked where \`--base-url\` does not name one.

Default: \`http://127.0.0.1:3001\`.

### \`NO_COLOR\`

Set to anything: no colours, also on a terminal.

### \`FORCE_COLOR\`

Set to anything but \`0\` and \`false\`: colours in pipes and files too, where \`NO_COLOR\` is not set.
`;

/** What a schema says is wrong with a value that nothing accepts tells what is right. */
function allowedBy(schema: z.ZodType): string | undefined {
  const result = schema.safeParse('\u0000');
  if (result.success) return undefined;
  return result.error.issues[0]?.message
    .replace(/^must be /, '')
    .replace(/; not so: .*$/s, '')
    .replace(/^.*; forms: /s, '');
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
  const lines = [`### \`${name}\``, '', description, ''];
  if (allowed !== undefined) lines.push(`Allowed: ${allowed}.`, '');
  lines.push(byDefault ? `Default: \`${byDefault}\`.` : 'Default: not set.', '');
  return lines.join('\n');
}

const isSame = (a: Setting, b: Setting): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Settings that several readers read in the same way stand once; others under each reader. */
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
