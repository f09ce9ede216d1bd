import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { parseWhoisText } from './parse-whois-text.ts';

const domain = 'amostra.example';
const folder = new URL('../../../fixtures/sentences/', import.meta.url);
const linesOf = (file: string): string[] =>
  readFileSync(new URL(file, folder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll('{domain}', domain).replaceAll(' | ', '\n'));
const stateOf = (text: string) => parseWhoisText(text, { domain }).state;
const isSettled = (text: string) => ['not_registered', 'registered'].includes(stateOf(text));

const WAYS: [string, (line: string) => string][] = [
  ['alone', (line) => line],
  ['behind a server’s greeting', (line) => `% Whois 2.1\n\n${line}`],
  ['as an error', (line) => `ERROR: ${line}`],
  ['in a remark', (line) => `%% ${line}`],
  ['before a clock', (line) => `${line}\n>>> Last update of whois database: 2030-01-02T03:04:05Z <<<`],
  ['in capitals', (line) => line.toUpperCase()],
  ['with the name above it', (line) => `Domain Name: ${domain}\n${line}`],
];

describe('a failure is neither a denial nor a registration', () => {
  const trouble = ['trouble.txt', 'not-invalid.txt', 'near-denials.txt'].flatMap(linesOf);

  test.each(WAYS)('%s', (_, around) => {
    expect(trouble.map(around).filter(isSettled)).toEqual([]);
  });

  test('below a denial, if the name is not part of a form', () => {
    const beside = linesOf('not-invalid.txt').map((line) => `No match for ${domain}\n${line}`);
    expect(beside.filter(isSettled)).toEqual([]);
  });
});

describe('terms right below a denial', () => {
  const terms = [
    'This information is collected for information purposes only, and is intended',
    'only for determining the owner of names.  No guarantees will be made',
    'regarding the accuracy of this data.',
    'TERMS OF USE: By submitting this query you are agreeing that under no',
    'circumstances will you use any of this data:',
    '(1) In any fashion relating to mass unsolicited contact of any kind.',
    'Storage or distribution in any volume fashion',
    'We reserve the right to terminate your access at any time.',
  ];

  test.each(['Domain is available.', `${domain.toUpperCase()} is available.`])(
    'do not doubt it: %s',
    (denial) => {
      for (const lines of [3, 8])
        expect(stateOf([denial, ...terms.slice(0, lines)].join('\n'))).toBe('not_registered');
    },
  );

  test('also in a remark, and in several sentences', () => {
    const remark = [
      '% No data was found to match the request criteria.',
      '% Please note that the use of these data is',
    ];
    const others = [
      '% for lawful purposes only, as stated below.',
      '% The registry may not',
      '% be held liable.',
    ];
    expect(stateOf([...remark, ...others].join('\n'))).toBe('not_registered');
  });

  test('double-spaced, name no limit of this client', () => {
    const limit = [
      'You may not access the data if the number of',
      'queries per day is exceeded, or for other purposes.',
    ];
    expect(stateOf([`No match for "${domain}".`, ...limit].join('\n\n'))).toBe('not_registered');
  });

  test('hide no trouble that continues them, or stands among them', () => {
    const trouble = linesOf('trouble.txt').filter((each) => !isSettled(`Domain is available.\n${each}`));
    const behind = [
      'No guarantees will be made for the accuracy of',
      'The data are for information purposes only, and',
    ];
    const texts = [
      ...behind.flatMap((line) => trouble.map((each) => `Domain is available.\n${line}\n${each}`)),
      ...trouble.map((each) => ['Domain is available.', ...terms.slice(0, 3), each].join('\n')),
    ];
    expect(texts.filter(isSettled)).toEqual([]);
  });
});

test.each(
  listOf(`Todos los derechos reservados. | © NIC. Todos os direitos reservados | Tous droits réservés. | 版权所有，保留所有权利 |
    Premium: no | Auction: false | Quarantine: none | Использование данных в рекламных целях запрещено | % La copie est interdite |
    % The use for other purposes, such as advertising, is not permitted. | Cerro Sample 1 | See our premium domains | El dominio fue conservado`),
)('terms of use, and a stated absence of what speaks against a denial, do not doubt it: %s', (line) =>
  expect(stateOf(`Domain not found\n\n${line}`)).toBe('not_registered'),
);

test('a name that is not available because the server refuses is refused, not reserved', () => {
  const heading = '>>> This name is not available for registration:';
  expect(stateOf(`${heading}\n>>> TLD is not supported.`)).toBe('refused');
  expect(stateOf(`${heading}\n>>> restricted by registry policy`)).toBe('reserved');
});

test.each(['Traceback (most recent call last):', 'Segmentation fault', 'Exception in thread "main"'])(
  'an error of a program below a denial makes it unreadable: %s',
  (line) => expect(stateOf(`Domain not found\n${line}`)).toBe('broken'),
);

test.each([
  `Domain: ${domain}\nstatus: free\nstatus: active`,
  `Domain not found.\nCreated: before the flood of 1953`,
])('a denial beside a fact of a registration is unreadable, even if that cannot be read: %s', (text) =>
  expect(stateOf(text)).toBe('broken'),
);

test('a name that the registry rejects is neither free nor registered', () => {
  const invalid = linesOf('invalid.txt');
  for (const [, around] of WAYS) expect(invalid.map(around).filter(isSettled)).toEqual([]);
});

test('a denial that no registry ever sent is unreadable at worst', () => {
  const invented = ['not-registered.txt', 'predicates.txt'].flatMap(linesOf);
  const wrong = invented.filter((text) => !['not_registered', 'broken'].includes(stateOf(text)));
  expect(wrong).toEqual([]);
});

describe('beside a record with one fact', () => {
  const beside = (record: string, line: string) => stateOf(`Domain Name: ${domain}\n${record}\n${line}\n`);

  test('a sentence about slowing down does not hide the registration', () => {
    const sentence = '\nYou have exceeded your quota of queries.';
    expect(beside('', sentence)).toBe('throttled');
    expect(beside('Created: 2010-04-09', sentence)).toBe('registered');
  });

  test('a sentence about a reservation counts; beside two facts it does not', () => {
    const sentence = '\nReserved by the registry';
    expect(beside('Registrar: Kamome Names Ltd', sentence)).toBe('reserved');
    expect(beside('Registrar: Kamome Names Ltd\nCreated: 2010-04-09', sentence)).toBe('registered');
  });

  test('a web page is unreadable; with two facts it is a record', () => {
    const page = (record: string) => stateOf(`<html><pre>\nDomain Name: ${domain}\n${record}\n</pre></html>`);
    expect(page('Registrar: Kamome Names Ltd')).toBe('broken');
    expect(page('Registrar: Kamome Names Ltd\nCreated: 2010-04-09')).toBe('registered');
  });
});

describe('a record of only a registrar or registrant', () => {
  const wordings = [
    (value: string) => `Domain Name: ${domain}\nRegistrar: ${value}\n`,
    (value: string) => `domain: ${domain}\nowner: ${value}\n`,
    (value: string) => `Query: ${domain}\nRegistrar: ${value}\nRegistrant: ${value}\n`,
  ];

  test('of a firm is a registration', () => {
    const lost = linesOf('somebody.txt').filter((value) =>
      wordings.some((around) => stateOf(around(value)) !== 'registered'),
    );
    expect(lost).toEqual([]);
  });

  test('of a program or page is not', () => {
    const nobody = ['nobody.txt', 'trouble.txt'].flatMap(linesOf);
    for (const written of [
      (value: string) => value,
      (value: string) => `[${value}]`,
      (value: string) => value.toUpperCase(),
    ]) {
      expect(
        nobody
          .flatMap((value) => wordings.map((around) => around(written(value))))
          .filter((text) => stateOf(text) === 'registered'),
      ).toEqual([]);
    }
  });

  test('changes nothing in a record with more fields', () => {
    const lost = linesOf('nobody.txt').filter(
      (value) =>
        stateOf(`Domain: ${domain}\nRegistrar: ${value}\nName Server: ns.umi.example\n`) !== 'registered',
    );
    expect(lost).toEqual([]);
  });
});

describe('a name with a line or two', () => {
  test('is neither free nor registered if they state a clock, an error or nothing', () => {
    expect(linesOf('records-in-trouble.txt').filter(isSettled)).toEqual([]);
  });

  test('is registered if they state a fact', () => {
    expect(linesOf('records-of-few-lines.txt').filter((text) => stateOf(text) !== 'registered')).toEqual([]);
  });
});

describe('a denial does not count', () => {
  const denials = [`No match for ${domain}`, 'Domain not found', `${domain} is free`];
  const beside = (line: string) =>
    denials.flatMap((no) => [`${no}\n${line}`, `${line}\n\n${no}`, `${no}\r\n\r\n${line}\r\n`]);

  test.each([
    `${domain} is already taken.`,
    `${domain}: taken`,
    `Die Domain ${domain} ist nicht frei.`,
    `Домен ${domain} не свободен`,
    ...listOf(`
      Registered on 2020-01-02 | Creation Date: 2020-01-02 | Name Server: ns1.umi.example |
      Registrant: Kamome K.K. | Registrar: Kamome Names | Status: active | Error: timeout |
      Message: database is down | Connection reset | fatal: cannot open index
    `),
  ])('beside %s', (line) => {
    expect(beside(line).filter((text) => stateOf(text) === 'not_registered')).toEqual([]);
  });

  test('right below an empty label, whose value it is', () => {
    for (const label of ['Registrar', 'Registrant', 'Name servers', 'Creation Date', 'Glue', '履歴']) {
      expect([label, stateOf(`${label}:\r\nNot found\r\n`)]).toEqual([label, 'broken']);
    }
  });
});

test('a registrar beside "Not found" is unreadable, with the contradicting lines', () => {
  const text = `Domain: ${domain}\nRegistrar: Kamome Ltd.\n\nNot found\n`;
  expect(parseWhoisText(text, { domain })).toMatchObject({
    state: 'broken',
    contradictions: [
      { kind: 'sentence', line: 'Not found' },
      { kind: 'record', line: 'Registrar: Kamome Ltd.' },
    ],
  });
});

test('a denial beside unknown words of throttling is throttled, without a pause of the server', () => {
  for (const text of [
    `Quota exceeded\nNo match for ${domain}`,
    'Domain not found\nRate limit exceeded, try later',
  ]) {
    expect(parseWhoisText(text, { domain })).toMatchObject({ state: 'throttled', isKnownThrottling: false });
  }
});

test.each([
  ['alone', 'The domain name is restricted\n', 'reserved'],
  ['in a paragraph of three lines', 'Zarbl one\nZarbl two\nThe domain name is restricted\n', 'reserved'],
  ['not in one of four', 'Zarbl one\nZarbl two\nZarbl three\nThe domain name is restricted\n', 'broken'],
  ['below one', 'Zarbl one\nZarbl two\nZarbl three\n\nThe domain name is restricted\n', 'reserved'],
])('unknown words of a reservation count %s', (_where, text, state) => {
  expect(parseWhoisText(text, { domain: 'umi.example' }).state).toBe(state);
});

test('unknown words of throttling in a separate paragraph count more than a denial', () => {
  const text = `%% Too many lookups of the names of others\n%%\n%% No entries found in the AFNIC Database.\n`;
  expect(stateOf(text)).toBe('throttled');
});

test('the end of a sentence of terms of use is no throttling, also after empty lines', () => {
  const text = `No match for ${domain}\n\nYou may be\n\nblacklisted. All data is (c) Kamome Names\n\nUmi.\n`;
  expect(stateOf(text)).toBe('not_registered');
});

test('a denial that lost its end is unreadable', () => {
  const whole = 'Invalid query or domain name not known in Dot TK Domain Registry';
  const cut = [whole, whole.slice(0, 40), 'Invalid query or', 'Invalid query'].map((text) => `\n${text}`);
  expect(cut.map(stateOf)).toEqual(['not_registered', 'broken', 'broken', 'broken']);
});

test.each([
  'www.nic.example',
  'Created on 2020-01-02 by the registry',
  'Creation Date    2020-01-02',
  'Status\nactive',
])('a line of terms of use states no field: %j', (line) => {
  const text = `Domain Name: ${domain}\nRegistrar: Kamome Ltd\nName Servers:\nns1.umi.example\n`;
  const { parsed } = parseWhoisText(`${text}\nTerms of use\n${line}\n`, { domain });
  expect(parsed).toEqual(parseWhoisText(text, { domain }).parsed);
});

test('terms of use without an answer prove nothing', () => {
  const banner = [
    '% Terms of this server:',
    ...Array.from({ length: 8 }, (_, at) => `% Term ${at} of the use`),
  ];
  const terms = [
    [...banner, '%', '% The use for other purposes, in particular for advertising, is not permitted.'],
    [...banner, '%', '% All the domain data that is visible here is reserved.'],
    ['% By submitting a query you agree not to use the information that is made', '% available'],
    ['This domain is protected by the Registry Lock service.'],
    ['blacklisted. All data is (c) Kamome Names', '', 'Ask us for more.', '', 'Umi.', '', 'Hoshi.'],
    [
      '* the copying, repackaging, dissemination or other use of the information provided by this service is not permitted, without our consent',
    ],
    ['Domain Status: CLIENT TRANSFER PROHIBITED https://icann.example/epp', 'Umi'],
  ];
  expect(terms.map((lines) => stateOf(lines.join('\n')))).toEqual(terms.map(() => 'broken'));
});
