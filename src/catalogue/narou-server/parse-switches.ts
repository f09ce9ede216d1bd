import { type NarouServerSwitches, SWITCHES, type SwitchName } from './switches.ts';

const isSwitchName = (name: string): name is SwitchName => Object.hasOwn(SWITCHES, name);

const readValue = (name: SwitchName, text: string): string | number | boolean | undefined => {
  const row: { values?: readonly (string | number | boolean)[]; max?: number } = SWITCHES[name];
  if (row.values !== undefined) return row.values.find((value) => String(value) === text);
  return /^\d{1,10}$/.test(text) && Number(text) <= (row.max ?? 0) ? Number(text) : undefined;
};

/** What a switch may be, in words: `empty, error` or `0 to 599`. */
export function describeValues(name: SwitchName): string {
  const row: { values?: readonly (string | number | boolean)[]; max?: number } = SWITCHES[name];
  return row.values === undefined ? `0 to ${row.max ?? 0}` : row.values.join(', ');
}

/** Reads switches as a command line gives them (`neverRanked=error`); `faults` names every one that is wrong. */
export function parseSwitches(texts: readonly string[]): {
  changes: Partial<NarouServerSwitches>;
  faults: string[];
} {
  const changes: Record<string, string | number | boolean> = {};
  const faults: string[] = [];
  for (const text of texts) {
    const [name = '', ...rest] = text.split('=');
    if (!isSwitchName(name)) {
      faults.push(`${name}: no such switch; there are ${Object.keys(SWITCHES).join(', ')}`);
      continue;
    }
    const value = readValue(name, rest.join('='));
    if (value === undefined) faults.push(`${name}: ${rest.join('=')} is none of ${describeValues(name)}`);
    else changes[name] = value;
  }
  return { changes, faults };
}
