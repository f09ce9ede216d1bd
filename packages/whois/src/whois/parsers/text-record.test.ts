import { describe, expect, test } from 'vitest';
import type { FieldName } from './vocabulary.ts';
import { TextRecord } from './text-record.ts';

type Statement = [field: FieldName, rank: number, value: string, isHistory?: boolean];

function recordOf(...statements: Statement[]): TextRecord {
  const record = new TextRecord();
  for (const statement of statements) record.setField(...statement);
  return record;
}
const dayOf = (record: TextRecord, field: keyof TextRecord['dates'] = 'creationDate') => {
  const { date } = record.dates[field];
  return date === null ? null : [date.year, date.month, date.day].join('-');
};

describe('of several values of one field the better label counts, at the same rank the first', () => {
  test('for the name', () => {
    expect(
      recordOf(['domain', 2, 'a.example'], ['domain', 1, 'b.example'], ['domain', 1, 'c.example']).domain,
    ).toBe('b.example');
    expect(recordOf(['domain', 1, 'a.example'], ['domain', 3, 'b.example']).domain).toBe('a.example');
  });

  test('for the registrar', () => {
    const named = recordOf(['registrar', 3, 'KAMO-1'], ['registrar', 1, 'Kamome'], ['registrar', 1, 'Iruka']);
    expect(named.registrar).toBe('Kamome');
    expect(recordOf(['registrar', 1, 'Kamome'], ['registrar', 2, 'Iruka']).registrar).toBe('Kamome');
  });

  test('for a date', () => {
    const created = (rank: number, value: string): Statement => ['creationDate', rank, value];
    const three = recordOf(created(2, '2020-01-02'), created(1, '2021-01-02'), created(1, '2022-01-02'));
    expect(dayOf(three)).toBe('2021-1-2');
    expect(dayOf(recordOf(created(1, '2021-01-02'), created(2, '2020-01-02')))).toBe('2021-1-2');
    expect(dayOf(recordOf(created(1, 'yesterday'), created(2, '2020-01-02')))).toBe('2020-1-2');
  });

  test('for the registrar’s server', () => {
    const record = recordOf(
      ['registrarServer', 1, 'whois.a.example'],
      ['registrarServer', 1, 'whois.b.example'],
    );
    expect(record.registrarServer).toBe('whois.a.example');
  });

  test('for name servers, whose lists are never mixed', () => {
    const record = recordOf(
      ['nameServer', 2, 'ns1.a.example'],
      ['nameServer', 1, 'none stated'],
      ['nameServer', 2, 'ns2.a.example'],
    );
    expect(record.nameServers).toEqual(['ns1.a.example', 'ns2.a.example']);
    for (const host of ['ns1.b.example', 'ns2.b.example']) record.setField('nameServer', 1, host);
    record.setField('nameServer', 2, 'ns3.a.example');
    expect(record.nameServers).toEqual(['ns1.b.example', 'ns2.b.example']);
  });

  test('for statuses, of which a fallback is dropped', () => {
    const statusOf = (...statements: Statement[]) => recordOf(...statements).status;
    expect(statusOf(['status', 3, 'renewal'], ['status', 1, 'ok'])).toEqual(['ok']);
    expect(statusOf(['status', 1, 'ok'], ['status', 2, 'active'], ['status', 3, 'renewal'])).toEqual([
      'ok',
      'active',
    ]);
  });
});

test('in a history of changes the latest date counts, in any order', () => {
  const days: Statement[] = [
    ['updatedDate', 2, '2010-05-06'],
    ['updatedDate', 2, '2011-06-05', true],
    ['updatedDate', 2, '2011-05-07', true],
    ['updatedDate', 2, '2011-05-31', true],
  ];
  expect(dayOf(recordOf(...days), 'updatedDate')).toBe('2011-6-5');
  expect(dayOf(recordOf(...days, ['updatedDate', 3, '2012-01-01', true]), 'updatedDate')).toBe('2011-6-5');
  expect(dayOf(recordOf(...days, ['updatedDate', 2, '2012-01-01']), 'updatedDate')).toBe('2011-6-5');
});

describe('a name', () => {
  test('is a host, or one label under a certain label', () => {
    expect(recordOf(['domain', 1, 'UMI.Example. (held)']).domain).toBe('umi.example');
    expect(recordOf(['domain', 1, 'JP']).domain).toBe('jp');
    expect(recordOf(['domain', 2, 'JP']).domain).toBeNull();
    expect(recordOf(['domain', 1, 'JP'], ['domain', 1, 'US']).domain).toBe('jp');
    expect(recordOf(['domain', 1, 'JP'], ['domain', 1, 'umi.jp']).domain).toBe('umi.jp');
    expect(recordOf(['domain', 1, 'no name here']).domain).toBeNull();
  });

  test('may have its status behind it', () => {
    expect(recordOf(['domain', 1, 'umi.example is Active']).status).toEqual(['Active']);
    expect(recordOf(['domain', 1, 'umi.example Active ']).status).toEqual(['Active']);
    for (const value of ['umi.example', 'umi.example (Umi)', 'umi.example isle', 'umi.example was Active']) {
      expect(recordOf(['domain', 1, value]).status).toEqual([]);
    }
  });

  test('is none of its own name servers', () => {
    expect(recordOf(['nameServer', 1, 'umi.dk ns.a.dk'], ['domain', 1, 'umi.dk']).nameServers).toEqual([
      'ns.a.dk',
    ]);
    expect(recordOf(['domain', 1, 'umi.dk'], ['nameServer', 1, 'UMI.dk.']).nameServers).toEqual([]);
  });

  test('is an echo of the query only below a label of queries', () => {
    expect([1, 2, 3].map((rank) => recordOf(['domain', rank, 'umi.example']).isEcho())).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('a registrar', () => {
  test.each([
    ['"Kamome Names"', 'Kamome Names'],
    ['  Kamome \t  Names ', 'Kamome Names'],
    ['Kamome Names (https://kamome.example)', 'Kamome Names'],
    ['"Kamome', '"Kamome'],
    ['Kamome"', 'Kamome"'],
    ['k'.repeat(200), 'k'.repeat(200)],
    ['k'.repeat(201), null],
    ['none', null],
  ])('%j', (value, registrar) => {
    expect(recordOf(['registrar', 1, value]).registrar).toBe(registrar);
  });
});

test('two letters or three under `state` are a part of an address, four a status', () => {
  expect(recordOf(['status', 2, 'CA'], ['status', 2, 'NSW']).status).toEqual([]);
  expect(recordOf(['status', 2, 'held']).status).toEqual(['held']);
  expect(recordOf(['status', 1, 'ok']).status).toEqual(['ok']);
});

test('a host stated by its address alone is unreadable, and none is none', () => {
  const unreadable = (value: string) => [...recordOf(['nameServer', 1, value]).unreadable];
  expect([unreadable('192.0.2.1'), unreadable('none')]).toEqual([['nameServers'], []]);
});

test('a status that is only a link, or longer than any, is unreadable, and none is none', () => {
  const unreadable = (value: string) => [...recordOf(['status', 1, value]).unreadable];
  for (const value of ['https://icann.example/epp#clientHold', 'u'.repeat(121)])
    expect(unreadable(value)).toEqual(['status']);
  for (const value of ['-', 'none', 'No registration status listed.', 'ok, none', 'ok'])
    expect(unreadable(value)).toEqual([]);
});

test('a longer one is a status if it is written as one, else unreadable', () => {
  const states = [
    'system',
    'Reserved',
    'Withheld',
    'Connected (2030/01/31)',
    'No object found',
    'To be suspended',
  ];
  for (const state of states) expect(recordOf(['status', 2, state]).status).toEqual([state]);
  for (const state of ['Tokyo', 'NEW YORK', 'Nuevo León', '神奈川県']) {
    const record = recordOf(['status', 2, state]);
    expect([record.status, [...record.unreadable]]).toEqual([[], ['status']]);
    expect(recordOf(['status', 1, state]).status).toEqual([state]);
  }
});

describe('facts', () => {
  const facts = (record: TextRecord) => [record.isDated(), record.hasFacts()];

  test.each<[string, Statement[], boolean[]]>([
    ['none', [['domain', 1, 'umi.example']], [false, false]],
    ['a registrar', [['registrar', 1, 'Kamome']], [false, true]],
    ['a name server', [['nameServer', 1, 'ns.umi.example']], [false, true]],
    ['a status', [['status', 1, 'ok']], [false, true]],
    ['a creation', [['creationDate', 1, '1985-01-01']], [true, true]],
    ['an expiration', [['expirationDate', 1, '2150-01-01']], [true, true]],
    ['a change of the object', [['updatedDate', 2, '2020-01-01']], [true, true]],
    ['a change, perhaps of the database', [['updatedDate', 1, '2020-01-01']], [false, false]],
    ['a date before there were names', [['creationDate', 1, '1984-12-31']], [false, false]],
    ['a date that means never', [['expirationDate', 1, '2151-01-01']], [false, false]],
  ])('%s', (_, statements, expected) => {
    expect(facts(recordOf(...statements))).toEqual(expected);
  });

  test('a registrant is one too', () => {
    const record = recordOf();
    record.registrant = 'Umi';
    expect(facts(record)).toEqual([false, true]);
  });

  const ALL: Statement[] = [
    ['domain', 1, 'umi.example'],
    ['registrar', 1, 'Kamome'],
    ['creationDate', 1, '2020-01-01'],
    ['expirationDate', 1, '2030-01-01'],
    ['updatedDate', 1, '2021-01-01'],
    ['nameServer', 1, 'ns.umi.example'],
    ['status', 1, 'ok'],
  ];

  test('a record is complete with all seven fields only', () => {
    expect(recordOf(...ALL).isComplete()).toBe(true);
    for (const missing of ALL) {
      expect(recordOf(...ALL.filter((statement) => statement !== missing)).isComplete()).toBe(false);
    }
  });

  test('changes of registrar, dates and statuses are counted, repeated values are not', () => {
    expect(recordOf(...ALL).changes).toBe(5);
    expect(recordOf(...ALL, ...ALL).changes).toBe(5);
  });
});

test('another record of the name adds only what is missing, and a registrar of a better label', () => {
  const record = recordOf(['registrar', 3, 'KAMO-1'], ['creationDate', 1, '2020-01-01'], ['status', 1, 'ok']);
  const other = recordOf(
    ['registrar', 1, 'Kamome'],
    ['registrarServer', 1, 'whois.kamome.example'],
    ['creationDate', 1, '2021-01-01'],
    ['expirationDate', 1, '2030-01-01'],
    ['updatedDate', 1, '2022-01-01'],
    ['nameServer', 1, 'ns.umi.example'],
    ['status', 1, 'inactive'],
  );
  record.fillFrom(other);
  expect([record.registrar, record.registrarServer, record.nameServers, record.status]).toEqual([
    'Kamome',
    'whois.kamome.example',
    ['ns.umi.example'],
    ['ok'],
  ]);
  expect(
    (['creationDate', 'expirationDate', 'updatedDate'] as const).map((field) => dayOf(record, field)),
  ).toEqual(['2020-1-1', '2030-1-1', '2022-1-1']);
  const third = recordOf(
    ['registrar', 1, 'Iruka'],
    ['registrarServer', 1, 'whois.iruka.example'],
    ['nameServer', 1, 'ns.yoru.example'],
  );
  record.fillFrom(third);
  expect([record.registrar, record.registrarServer, record.nameServers]).toEqual([
    'Kamome',
    'whois.kamome.example',
    ['ns.umi.example'],
  ]);
});
