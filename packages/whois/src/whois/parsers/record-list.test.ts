import { describe, expect, test } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';
import { TextLines } from './lines.ts';
import { RecordReader } from './read-records.ts';

/** The records of a text as `name: registrar, created`, with an exclamation mark if a field is unreadable. */
function recordsOf(text: string, given: string | null = null): string[] {
  return new RecordReader(given).read(new TextLines(text)).map(({ domain, registrar, dates, unreadable }) => {
    const year = dates.creationDate.date?.year ?? '-';
    return `${domain ?? '-'}: ${registrar ?? '-'}, ${year}${unreadable.size > 0 ? ' !' : ''}`;
  });
}

const CREATED = 'Created: 2020-01-02\n';
const UMI = 'Domain: umi.example\nRegistrar: Kamome\nCreated: 2020-01-02\n';
const YORU = 'Domain: yoru.example\nRegistrar: Iruka\nCreated: 2021-01-02\n';

describe('a further name opens a record', () => {
  test.each([
    ['after an empty line', `${UMI}\n${YORU}`],
    ['below a heading', `${UMI}\n[Domain]\n${YORU}`],
  ])('%s', (_, text) => {
    expect(recordsOf(text)).toEqual(['umi.example: Kamome, 2020', 'yoru.example: Iruka, 2021']);
  });

  test('with the facts above it in its paragraph; they are doubtful in the record before them', () => {
    const text = `${UMI}\nRegistrar: Iruka\nDomain: yoru.example\nCreated: 2021-01-02\n`;
    expect(recordsOf(text)).toEqual(['umi.example: -, 2020 !', 'yoru.example: Iruka, 2021']);
  });

  test('right below facts, but a date under a repeated label is doubtful', () => {
    expect(recordsOf(UMI + YORU)).toEqual(['umi.example: Kamome, 2020', 'yoru.example: Iruka, - !']);
    expect(recordsOf(UMI + YORU.replace('Created', 'Registered'))).toEqual([
      'umi.example: Kamome, 2020',
      'yoru.example: Iruka, 2021',
    ]);
  });

  test.each(['', 'umi.example was not found\n', 'Notice: see also\n'])(
    'right below a name without facts',
    (line) => {
      expect(recordsOf(`Domain: umi.example\n${line}${YORU}`)).toEqual([
        'umi.example: -, -',
        'yoru.example: Iruka, 2021',
      ]);
    },
  );

  test('up to 16 records', () => {
    const text = Array.from({ length: 20 }, (_, at) => `Domain: umi${at}.example\nRegistrar: Kamome\n`).join(
      '\n',
    );
    const records = recordsOf(text);
    expect([records.length, records[15]]).toEqual([16, 'umi15.example: Kamome, -']);
  });
});

test('a label right below a label opens a record', () => {
  expect(recordsOf(`Domain: umi\nDomain: yoru\n${CREATED}`)).toEqual(['umi: -, -', 'yoru: -, 2020']);
});

describe('no record is opened', () => {
  test.each([
    ['by the same name before any fact', `\nDomain: UMI.example.\n${CREATED}`],
    ['by the same name under an uncertain label', `${CREATED}\nQuery: umi.example\n`],
    ['by its first label', `\nDomain: umi\n${CREATED}`],
    ['by a label right below it, such as the zone', `Domain: example\n${CREATED}`],
    ['by words that are no name', `${CREATED}\nDomain: no name\n`],
    ['by an empty label', `${CREATED}\nDomain:\n`],
  ])('%s', (_, lines) => {
    expect(recordsOf(`Domain: umi.example\n${lines}`)).toEqual(['umi.example: -, 2020']);
  });
});

test('a variant of an IDN right below it opens no record', () => {
  const text = `Domain: 海.example\nVariant: xn--1\nDomain: 洋.example\n${CREATED}`;
  expect(recordsOf(text)).toEqual(['海.example: -, 2020']);
});

test('the same name after facts opens a record under a certain label: a joined answer', () => {
  expect(recordsOf(`${UMI}\n${UMI.replace('Kamome', 'Iruka')}`)).toEqual([
    'umi.example: Kamome, 2020',
    'umi.example: Iruka, 2020',
  ]);
});

describe('a name alone between empty lines', () => {
  test('is the name of the record, if there is none', () => {
    expect(recordsOf('umi.example\n\nRegistrar: Kamome\n')).toEqual(['umi.example: Kamome, -']);
  });

  test('opens a record if it is the queried one', () => {
    const text = `${UMI}\nyoru.example\n\nRegistrar: Iruka\n`;
    expect(recordsOf(text, 'yoru.example')).toEqual(['umi.example: Kamome, 2020', 'yoru.example: Iruka, -']);
  });

  test('makes the fields below it doubtful if it is not', () => {
    const text = `${UMI}\nyoru.example\n\nUpdated: 2021-01-02\n`;
    expect(recordsOf(text, 'umi.example')).toEqual(['umi.example: Kamome, 2020 !']);
    expect(recordsOf(text)).toEqual(['umi.example: Kamome, 2020 !']);
    expect(recordsOf(`${UMI}\numi.example\n\nUpdated: 2021-01-02\n`)).toEqual(['umi.example: Kamome, 2020']);
    expect(recordsOf(`${UMI}\nyoru.example\n\nNote: 2021-01-02\n`)).toEqual(['umi.example: Kamome, 2020']);
  });

  test.each(['', '\n'])('makes all further fields doubtful, also right below it', (gap) => {
    const text = `${UMI}\nyoru.example\n${gap}Updated: 2021-01-02\n\nStatus: ok\n\nExpiry Date: 2031-01-02\n`;
    const { incomplete, parsed } = parseWhoisText(text, { domain: 'umi.example' });
    expect(incomplete).toEqual(['expirationDate', 'updatedDate', 'status']);
    expect(parsed).toMatchObject({ expirationDate: null, updatedDate: null, status: [] });
  });

  test.each(['', '\n'])('is no unknown heading of what is stated below it: %j', (gap) => {
    const read = (text: string) => parseWhoisText(`umi.example\n${gap}${text}`, { domain: 'umi.example' });
    const { state, parsed, incomplete } = read(`Registrar: Kamome\n${CREATED}\nExpiry Date: 2031-01-02\n`);
    expect([state, parsed.registrar, parsed.expirationDate, incomplete]).toEqual([
      'registered',
      'Kamome',
      '2031-01-02',
      [],
    ]);
    expect(read('Status: free\n').state).toBe('not_registered');
  });

  test.each(['ns2.kamome.test\n', 'Tokyo\n'])('is none above a line without a label: %j', (line) => {
    const text = `Domain: umi.example\n\nns1.kamome.test\n${line}\nRegistrar: Kamome\n${CREATED}\n`;
    const { state, incomplete } = parseWhoisText(text, { domain: 'umi.example' });
    expect([state, incomplete]).toEqual(['registered', []]);
  });

  test('makes no form of the denial below it, in which any field may stand', () => {
    const stateOf = (text: string) => parseWhoisText(text, { domain: 'umi.example' }).state;
    expect(stateOf('umi.example\nNot found\nSerial: 7\n')).toBe('broken');
    expect(stateOf('Domain: umi.example\nNot found\nSerial: 7\n')).toBe('not_registered');
  });

  test('is none if it is a server’s name', () => {
    expect(recordsOf('whois.nic.example\n\nRegistrar: Kamome\n')).toEqual(['-: Kamome, -']);
  });
});

describe('a paragraph below the name', () => {
  const lines = `  Registrar: Iruka\n  ${CREATED}`;

  test.each(['Hosting package', 'Certificate:', '** Former registration:', 'Frühere Domain:'])(
    'with an unknown heading may be about another object: %s',
    (heading) => {
      expect(recordsOf(`Domain: umi.example\n\n${heading}\n${lines}`)).toEqual(['umi.example: -, - !']);
      expect(recordsOf(`${UMI}\n${heading}\n${lines}`)).toEqual(['umi.example: Kamome, 2020']);
    },
  );

  test.each([
    'Registrar:',
    'Relevant dates:',
    'Important Dates',
    'Registration details:',
    '[Domain Information]',
    'Record dates:',
    'Timestamps:',
    'REGISTERED',
    'Additional information:',
    '** Additional Info:',
    'Some words before a colon that is far away:',
  ])('with a known heading, or a long line, is about the name: %s', (heading) => {
    expect(recordsOf(`Domain: umi.example\n\n${heading}\nRegistrar: Iruka\n${CREATED}`)).toEqual([
      'umi.example: Iruka, 2020',
    ]);
  });

  test('is about a name that it states itself, whatever its heading', () => {
    expect(recordsOf(`Certificate:\n${lines}Domain: umi.example`)).toEqual(['umi.example: Iruka, 2020']);
    expect(recordsOf(`${UMI}\nCertificate:\nDomain: yoru.example\n${lines}`)).toEqual([
      'umi.example: Kamome, 2020',
      'yoru.example: Iruka, 2020',
    ]);
  });
});

describe('another object in the paragraph of a record', () => {
  test.each([
    ['that repeats a date', `${CREATED}person: Umi\ncreated: 2021-01-02\nupdated: 2022-01-02\n`, '2020'],
    ['that begins like a former one', `person: Umi\nperson: Hoshi\n${CREATED}`, '-'],
  ])('%s makes its fields doubtful', (_, lines, created) => {
    expect(recordsOf(`domain: umi.example\n${lines}`)).toEqual([`umi.example: -, ${created} !`]);
  });

  test.each([
    ['that is one line', `person: Umi\n${CREATED}`],
    ['that is a list of hosts', `Host: ns1.kani.example\nHost: ns2.kani.example\n${CREATED}`],
    ['with several servers', `person: Umi\n${CREATED}nserver: a.example\nnserver: b.example\n`],
    ['with several statuses', `person: Umi\n${CREATED}status: ok\nstatus: inactive\n`],
    ['behind an empty line', `${CREATED}\nperson: Umi\ncreated: 2021-01-02\n`],
  ])('%s does not', (_, lines) => {
    expect(recordsOf(`domain: umi.example\n${lines}`)).toEqual(['umi.example: -, 2020']);
  });
});

describe('another object in a paragraph of its own that states the dates of the record otherwise', () => {
  const host = 'Host Name: ns1.umi.example\nRegistrar: Iruka\nCreated: 2019-01-02\n';

  test('makes its own fields and that date doubtful, but no other, if it is above the name', () => {
    expect(recordsOf(`${host}\n${UMI.replace('Registrar', 'Registrant')}`)).toEqual(['umi.example: -, - !']);
    const [record] = new RecordReader(null).read(new TextLines(`${host}\n${UMI}Expires: 2030-01-02\n`));
    expect(record?.dates.expirationDate.date?.year).toBe(2030);
  });

  test('makes its further fields doubtful, if it is below the name', () => {
    const text = `Domain: umi.example\n${CREATED}\nPeer: ns1.umi.example\n${CREATED.replace('2020', '2019')}`;
    expect(recordsOf(`${text}Registrar: Iruka\n`)).toEqual(['umi.example: -, 2020 !']);
    const next = `${text}\nPeer: ns2.umi.example\n${CREATED.replace('2020', '2019')}Registrar: Iruka\n`;
    expect(recordsOf(next)).toEqual(['umi.example: -, 2020 !']);
  });
});

test('the same line twice is no other object', () => {
  for (const gap of ['', '\n'])
    expect(recordsOf(`Domain: umi.example\n${CREATED}${gap}${CREATED}Registrar: Kamome\n`)).toEqual([
      'umi.example: Kamome, 2020',
    ]);
});

test('a registrar’s handle that no object describes is doubtful', () => {
  const text = 'domain: umi.example\ncreated: 2020-01-02\n\norganization: Kamome\nregistrar: KAMO-0001\n';
  expect(recordsOf(text)).toEqual(['umi.example: -, 2020 !']);
  expect(recordsOf(text.replace('\n\norganization: Kamome', ''))).toEqual(['umi.example: KAMO-0001, 2020']);
});
