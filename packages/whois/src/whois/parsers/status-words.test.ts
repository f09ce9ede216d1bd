import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { parseWhoisText } from './parse-whois-text.ts';
import { STATUS_WORD, addStatuses, areOfRegistration, eppStatusOf } from './status-words.ts';

describe('the statuses of one value', () => {
  const statusesOf = (value: string) => {
    const statuses: string[] = [];
    addStatuses(statuses, value);
    return statuses;
  };

  test.each([
    ['clientHold https://icann.example/epp#clientHold', ['clientHold']],
    ['clientHold (https://icann.example/epp)', ['clientHold']],
    ['clientHold\t<[http://icann.example/epp]>', ['clientHold']],
    ['ok / autoRenewPeriod', ['ok', 'autoRenewPeriod']],
    ['REGISTERED, DELEGATED, VERIFIED', ['REGISTERED', 'DELEGATED', 'VERIFIED']],
    ['REGISTERED,DELEGATED', ['REGISTERED', 'DELEGATED']],
    ['clientHold serverHold', ['clientHold', 'serverHold']],
    ['clientHold  serverHold clientHold', ['clientHold', 'serverHold']],
    ['client-hold server_hold', ['client-hold', 'server_hold']],
    ['ok - Normal state.', ['ok']],
    [' - ok', ['- ok']],
    ['ok, none', ['ok']],
    ['ok / '.repeat(960), ['ok']],
  ])('%j', (value, expected) => {
    expect(statusesOf(value)).toEqual(expected);
  });

  test.each([
    'u'.repeat(120),
    ...listOf(`
      ok | held by one, not by the other two | Registered (2027, paid) | clientHold umi |
      Registered until expiry date. | umi - Normal state. | nones
    `),
  ])('are the value itself: %j', (value) => {
    expect(statusesOf(value)).toEqual([value]);
  });

  test.each([
    '',
    'u'.repeat(121),
    'ok / '.repeat(961),
    ...listOf('https://icann.example/epp#ok | N/A | none | NULL | nil | - | --- | .'),
  ])('are none: %j', (value) => {
    expect(statusesOf(value)).toEqual([]);
  });

  test('are at most 40 of one record, each once, and one more that shows the cut', () => {
    const statuses = Array.from({ length: 40 }, (_, at) => `s${at}`);
    for (const value of ['s1', 'ok', 'inactive']) addStatuses(statuses, value);
    expect(statuses.slice(39)).toEqual(['s39', 'ok']);
  });
});

test('a word right after a name is its state only if it is one of a name', () => {
  for (const word of ['Active', 'FREE', 'undelegated', 'hold']) expect(STATUS_WORD.test(word)).toBe(true);
  for (const word of ['', 'actively', 'inactive now', 'ok', 'unlocked'])
    expect(STATUS_WORD.test(word)).toBe(false);
});

describe('statuses show a registration', () => {
  const lists = (text: string) => listOf(text).map((list) => list.split(' + '));

  test.each(
    lists(`
      ok | active | clientHold + serverHold | client_hold | stclHold | Registered | ACTIVO | not delegated |
      to be released | in use | Registered until expiry date. | Connected (2027/03/31) + ok | Dom. Connect |
      Registrar lock, transfer prohibited | taken | 200 Active | Auto-renew grace period |
      paid + delegated + verified
    `),
  )('%j', (...statuses) => {
    expect(areOfRegistration(statuses)).toBe(true);
  });

  test.each([
    [''],
    ['ok'.repeat(16)],
    ...lists(`
      free | available | 404 | verified | ok + free | ok + server is busy | not registered |
      no active registration | Registered? + error | interactive | activeness | expiration date | active umi
    `),
  ])('%j do not', (...statuses) => {
    expect(areOfRegistration(statuses)).toBe(false);
  });

  test('none do not', () => {
    expect(areOfRegistration([])).toBe(false);
  });
});

describe('a status that withholds the name', () => {
  const read = (lines: string) =>
    parseWhoisText(`Domain: umi.example\n${lines}\n`, { domain: 'umi.example' });

  test.each([
    ['Status: unavailable'],
    ['status:  Blocked'],
    ['Domain Status: not available'],
    ['Status: PREMIUM'],
    ['Status: reserved by the registry'],
    ['Status: pending application'],
  ])('%s is a reservation', (line) => {
    expect(read(line).state).toBe('reserved');
  });

  test('is none beside facts of a registration', () => {
    expect(read('Status: not available\nCreated: 2020-01-02\nRegistrar: Kamome Names Ltd').state).toBe(
      'registered',
    );
    expect(read('Status: blocked\nName Server: ns1.umi.test').state).toBe('registered');
  });
});

describe('RDAP status words in the vocabulary of EPP (RFC 8056)', () => {
  test.each([
    ['active', 'ok'],
    ['associated', 'linked'],
    ['client transfer prohibited', 'clientTransferProhibited'],
    ['Server  Hold', 'serverHold'],
    ['auto renew period', 'autoRenewPeriod'],
    ['redemption period', 'redemptionPeriod'],
    ['inactive', 'inactive'],
  ])('%s is %s', (words, code) => {
    expect(eppStatusOf(words)).toBe(code);
  });

  test('words that EPP lacks stay unchanged', () => {
    expect(eppStatusOf(' Locked ')).toBe('Locked');
    expect(eppStatusOf('clientHold')).toBe('clientHold');
  });
});
