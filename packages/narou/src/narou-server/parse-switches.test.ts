import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  describeValues,
  FAULT_SWITCHES,
  makeSwitches,
  parseSwitches,
  SWITCHES,
  type SwitchName,
  UNKNOWN_SWITCHES,
} from './switches.ts';

describe('the table of switches', () => {
  const page = readFileSync(new URL('../../../../docs/narou-server.md', import.meta.url), 'utf8');
  const items = page
    .slice(page.indexOf('## Unknown behaviour'))
    .split('\n- ')
    .slice(1)
    .map((item) => (item.split('\n\n')[0] ?? '').trim().replaceAll(/\s+/g, ' '));
  const itemOf = (name: SwitchName): string =>
    `\`${name}\` (${describeValues(name)}): ${SWITCHES[name].about}.`;

  test.each(Object.keys(SWITCHES) as SwitchName[])(
    'docs/narou-server.md describes %s as the code does',
    (name) => {
      expect(items).toContain(itemOf(name));
    },
  );

  test.each(Object.keys(SWITCHES) as SwitchName[])('the first value of %s is its default', (name) => {
    expect(describeValues(name).split(/, | to /)[0]).toBe(String(SWITCHES[name].default));
  });

  test('docs/narou-server.md describes no other switch', () => {
    const names = [...Object.keys(UNKNOWN_SWITCHES), ...Object.keys(FAULT_SWITCHES)] as SwitchName[];
    expect(items).toEqual(names.map(itemOf));
  });
});

describe('switches as text', () => {
  test('without any, all have their defaults, and each default is a listed value', () => {
    expect(makeSwitches(parseSwitches([]).changes)).toEqual(makeSwitches());
    const all = Object.entries(makeSwitches()).map(([name, value]) => `${name}=${value}`);
    expect(parseSwitches(all)).toEqual({ changes: makeSwitches(), faults: [] });
  });

  test('each listed value is parsed to its type', () => {
    const { changes, faults } = parseSwitches([
      'neverRanked=error',
      'errorStatus=400',
      'errorGzipped=true',
      'latencyMs=25',
      'maxRows=500',
    ]);
    expect(faults).toEqual([]);
    expect(changes).toEqual({
      neverRanked: 'error',
      errorStatus: 400,
      errorGzipped: true,
      latencyMs: 25,
      maxRows: 500,
    });
  });

  test('every fault is reported with the valid values', () => {
    const { changes, faults } = parseSwitches([
      'neverRanked=maybe',
      'nope=1',
      'latencyMs=-1',
      'status=600',
      'toString=1',
    ]);
    expect(changes).toEqual({});
    expect(faults.map((fault) => fault.split(';')[0])).toEqual([
      'neverRanked: maybe is not one of empty, error',
      'nope: unknown switch',
      'latencyMs: -1 is not one of 0 to 600000',
      'status: 600 is not one of 0 to 599',
      'toString: unknown switch',
    ]);
  });
});
