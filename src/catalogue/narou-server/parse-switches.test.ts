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
  const page = readFileSync(new URL('../../../docs/narou-server.md', import.meta.url), 'utf8');
  // The formatter pads the columns of the page.
  const rows = page.split('\n').map((line) => line.replace(/ +/g, ' '));
  const tableRow = (name: SwitchName): string =>
    `| \`${name}\` | ${describeValues(name)} | ${SWITCHES[name].default} | ${SWITCHES[name].about} |`;

  test.each(Object.keys(SWITCHES) as SwitchName[])(
    'docs/narou-server.md tells of %s what the code says',
    (name) => {
      expect(rows).toContain(tableRow(name));
    },
  );

  test('docs/narou-server.md tells of no other switch', () => {
    const told = rows.filter((line) => line.startsWith('| `'));
    expect(told).toEqual(
      [...Object.keys(UNKNOWN_SWITCHES), ...Object.keys(FAULT_SWITCHES)].map((name) =>
        tableRow(name as SwitchName),
      ),
    );
  });
});

describe('switches as text', () => {
  test('without any, all are at their defaults, and each default is one of its values', () => {
    expect(makeSwitches(parseSwitches([]).changes)).toEqual(makeSwitches());
    const all = Object.entries(makeSwitches()).map(([name, value]) => `${name}=${value}`);
    expect(parseSwitches(all)).toEqual({ changes: makeSwitches(), faults: [] });
  });

  test('each value that the table lists is read, as what it is', () => {
    const { changes, faults } = parseSwitches([
      'neverRanked=error',
      'errorStatus=400',
      'errorGzipped=true',
      'latencyMs=25',
    ]);
    expect(faults).toEqual([]);
    expect(changes).toEqual({ neverRanked: 'error', errorStatus: 400, errorGzipped: true, latencyMs: 25 });
  });

  test('every fault is named, with what would be right', () => {
    const { changes, faults } = parseSwitches([
      'neverRanked=maybe',
      'nope=1',
      'latencyMs=-1',
      'status=600',
      'toString=1',
    ]);
    expect(changes).toEqual({});
    expect(faults.map((fault) => fault.split(';')[0])).toEqual([
      'neverRanked: maybe is none of empty, error',
      'nope: no such switch',
      'latencyMs: -1 is none of 0 to 600000',
      'status: 600 is none of 0 to 599',
      'toString: no such switch',
    ]);
  });
});
