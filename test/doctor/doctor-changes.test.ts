import { describe, expect, it } from 'vitest';
import { doctorChanges } from '../../scripts/doctor-changes.ts';

const report = (...checks: object[]) => ({
  mokuroku: '0.1.0',
  startedAt: '2026-11-22T03:00:00Z',
  checks: checks.map((check) => ({
    title: 'lim=0',
    finding: 'No rows.',
    answered: true,
    answer: null,
    ...check,
  })),
});

describe('the changes between two reports of the doctor', () => {
  const ok = { id: 'limZero', state: 'ok', answer: 'default' };
  const other = { id: 'limZero', state: 'warning', answer: 'empty' };

  it('are empty for equal reports', () => {
    expect(doctorChanges(report(ok), report(ok))).toBe('');
    expect(doctorChanges(report(other), report(other))).toBe('');
  });

  it('list each check with another state or answer, and the previous one', () => {
    expect(doctorChanges(report(ok), report(other))).toBe('- **lim=0** (`limZero`): ok → warning. No rows.');
    expect(doctorChanges(report(ok), report({ ...ok, answer: 'one' }))).toContain('`limZero`');
  });

  it('omit checks without a response in either report', () => {
    expect(doctorChanges(report(ok), report({ ...other, answered: false }))).toBe('');
    expect(doctorChanges(report({ ...other, answered: false }), report(ok))).toBe('');
  });

  it('list every check that is not ok if there is no earlier report', () => {
    expect(doctorChanges(undefined, report(ok, { id: 'stZero', state: 'broken' }))).toBe(
      '- **lim=0** (`stZero`): broken. No rows.',
    );
  });
});
