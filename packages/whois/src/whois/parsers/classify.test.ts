import { describe, expect, test } from 'vitest';
import { evidenceOf } from '../../record/registration-record.ts';
import { listOf } from '../../../../../test/list-of.ts';
import { readStatedWait } from './classify.ts';
import { parseWhoisText } from './parse-whois-text.ts';

const DOMAIN = 'umi.example';
const NAME = `Domain Name: ${DOMAIN}\n`;
const stateOf = (text: string, domain: string | null = DOMAIN) => parseWhoisText(text, { domain }).state;

describe('the facts of a record', () => {
  const facts = {
    registrar: 'Registrar: Kamome Names\n',
    servers: 'Name Server: ns1.umi.example\n',
    date: 'Creation Date: 2020-01-02\n',
    status: 'Status: active\n',
    registrant: 'Registrant: Umi K.K.\n',
  };

  test.each(Object.entries(facts))('one of them shows a registration: %s', (kind, line) => {
    const isEnough = kind !== 'registrar';
    expect(stateOf(NAME + line)).toBe(isEnough ? 'registered' : 'broken');
  });

  test('two of them do, with any name in the question', () => {
    const lines = Object.values(facts);
    for (const one of lines) {
      for (const other of lines) {
        if (one === other) continue;
        for (const domain of [DOMAIN, null]) {
          expect([one, other, stateOf(NAME + one + other, domain)]).toEqual([one, other, 'registered']);
        }
      }
    }
  });

  test('one of them shows nothing below an echo of the query, two do', () => {
    const echo = `Query: ${DOMAIN}\n`;
    for (const line of Object.values(facts)) expect([line, stateOf(echo + line)]).toEqual([line, 'broken']);
    expect(stateOf(echo + facts.date + facts.servers)).toBe('registered');
    expect(stateOf(`${echo + facts.date + facts.status}Error: timeout\n`)).toBe('broken');
    expect(stateOf(`${echo}Status: ok\n${facts.registrar}`)).toBe('broken');
  });

  test('one of them shows nothing beside trouble, unless it is a name server or there are two', () => {
    const trouble = 'Message: database is down\n';
    expect(stateOf(NAME + facts.date + trouble)).toBe('broken');
    expect(stateOf(NAME + facts.status + trouble)).toBe('broken');
    expect(stateOf(NAME + facts.servers + trouble)).toBe('registered');
    expect(stateOf(NAME + facts.date + facts.status + trouble)).toBe('registered');
    const terms = `% ${'Nobody vouches for these data.\n% '.repeat(20)}\n`;
    expect(stateOf(NAME + facts.date + terms + trouble)).toBe('broken');
  });

  test('without a name need the queried name in the text, and two facts', () => {
    const nameless = facts.registrar + facts.date;
    expect(stateOf(`Answer for UMI.Example.\n\n${nameless}`)).toBe('registered');
    expect(stateOf(`Answer for it\n\n${nameless}`)).toBe('broken');
    expect(stateOf(`Answer for UMI.Example\n\n${facts.date}`)).toBe('broken');
    expect(stateOf(`Answer for かもめ.example\n\n${nameless}`, 'xn--u8jxfc.example')).toBe('registered');
    expect(stateOf(`Answer\n\nName Server: ns1.umi.example ns2.umi.example\n`)).toBe('registered');
  });

  test.each(['a.example', 'name.example', 'registrar.example'])(
    'without a name are not those of %s because the text contains its label',
    (domain) => {
      const nameless = facts.registrar + facts.date;
      expect(stateOf(nameless, domain)).toBe('broken');
      for (const longer of [`sea-${domain}`, `sea${domain}`, `${domain}.org`, `${domain}s`]) {
        expect([longer, stateOf(`Mail: it@${longer}\n\n${nameless}`, domain)]).toEqual([longer, 'broken']);
      }
    },
  );

  test('of another name are not the queried name’s', () => {
    const other = 'Domain Name: yoru.example\nCreation Date: 2020-01-02\nName Server: ns1.yoru.example\n';
    const { state, parsed } = parseWhoisText(other, { domain: DOMAIN });
    expect([state, parsed.domainName]).toEqual(['registered', 'yoru.example']);
    expect(stateOf(`${other}\n% Query: ${DOMAIN}\n`)).toBe('broken');
    expect(stateOf(`${other}\nNot found\n`)).toBe('broken');
    expect(stateOf(`${other}\nToo many requests\n`)).toBe('throttled');
    expect(stateOf(`${other}\nInvalid domain name\n`)).toBe('invalid');
  });

  test('contradict a denial, whichever comes first', () => {
    for (const line of Object.values(facts)) {
      for (const text of [`${NAME + line}\nNot found\n`, `Not found\n\n${NAME}${line}`]) {
        expect([text, stateOf(text)]).toEqual([text, 'broken']);
      }
    }
  });

  test('with name servers and a date they outweigh a denial elsewhere in the text', () => {
    const record = NAME + facts.servers + facts.date;
    expect(stateOf(`${record}\nNot found\n`)).toBe('registered');
    expect(stateOf(`${record}Status: free\n`)).toBe('broken');
    expect(stateOf(`${record}Status: umi\n`)).toBe('registered');
    const served = NAME + facts.servers + facts.registrar;
    expect(stateOf(`${served}${facts.status}\nNot found\n`)).toBe('registered');
    expect(stateOf(`${served}\nNot found\n`)).toBe('broken');
  });
});

describe('a status of a reservation', () => {
  test.each(['', 'Registrar: Kamome\n', 'Registrar: Kamome\nCreation Date: 2020-01-02\n'])(
    'counts beside these facts: %j',
    (lines) => {
      const { state, evidence } = parseWhoisText(`${NAME}${lines}Status: reserved\n`, { domain: DOMAIN });
      expect([state, evidence]).toEqual(['reserved', { kind: 'status', line: 'Status: reserved' }]);
    },
  );

  test('counts not only as the first status', () => {
    const lines = 'Registrar: Kamome\nCreation Date: 2020-01-02\nStatus: invalid\nStatus: reserved\n';
    expect(stateOf(NAME + lines)).toBe('reserved');
  });
});

describe('an invalid name or a refused query', () => {
  test('is stated by a sentence without facts and without a denial', () => {
    expect(stateOf('Invalid query')).toBe('broken');
    expect(stateOf('Invalid domain name')).toBe('invalid');
    expect(stateOf('Cannot process your search request')).toBe('refused');
    expect(stateOf('Invalid domain name\n\nNot found')).toBe('broken');
    expect(stateOf('Cannot process your search request\n\nNot found')).toBe('broken');
  });
});

describe('answers of other servers', () => {
  test.each([
    '<!DOCTYPE html>\nNot found',
    '<?xml version="1.0"?>\nNot found',
    '\ufeff<html>Not found</html>',
    'HTTP/1.1 404 Not Found\n\nNot found',
    'Server: umi\nContent-Type: text/plain\n\nNot found',
    'X-Powered-By: umi\n\nNot found',
    '{"error": "x"}\nNot found',
    '[{"a": 1}]\n\nNot found',
    '["a"]\n\nNot found',
  ])('%j states nothing', (text) => {
    expect(stateOf(text)).toBe('broken');
  });

  test.each(['[Umi]\nNot found', '< umi\n\nNot found'])('%j is an answer of a registry', (text) => {
    expect(stateOf(text)).toBe('not_registered');
  });

  test('a page far below an answer is a part of it', () => {
    expect(stateOf(`Not found\n\n${'% umi\n'.repeat(200)}<html>\n`)).toBe('not_registered');
  });
});

describe('a denial below the line of a query', () => {
  const queries = ['%% Query: ', '% WHOIS ', '# Domain Name: ', 'Domain: '];

  test.each(queries)('counts for no other name: %s', (query) => {
    for (const denial of ['\nNot found', '%\n% Not found\n%']) {
      expect(stateOf(`${query}nami.example\n${denial}`)).toBe('broken');
      expect(stateOf(`${query}${DOMAIN.toUpperCase()}\n${denial}`)).toBe('not_registered');
    }
  });

  test('counts if the line names the server, or the queried name is unknown', () => {
    expect(stateOf('% Whois whois.nic.example\n\nNot found')).toBe('not_registered');
    expect(stateOf('% WHOIS nami.example\n\nNot found', null)).toBe('not_registered');
  });
});

describe('the root’s object', () => {
  const text = 'domain: ZZ\n\norganisation: Not assigned\n\nchanged: 1999-09-27\n';

  test.each([
    text,
    text.replaceAll(': ', ':\t'),
    text.replaceAll(/^/gm, '    '),
    text.replace('organisation', 'organisation, if any'),
  ])('of a TLD that is not assigned is a denial, whatever its columns: %j', (stated) => {
    expect(stateOf(stated, 'zz')).toBe('not_registered');
  });

  test.each([
    ['of a name below it', 'umi.zz', text.replace('ZZ', 'umi.zz')],
    ['of an assigned TLD', 'zz', text.replace('Not assigned', 'Umi')],
    ['within other words', 'zz', `x ${text.replace('\n\n', ' ')}`],
  ])('%s is none', (_, name, stated) => {
    expect(stateOf(stated, name)).not.toBe('not_registered');
  });
});

test('the evidence of a registration is the line of its strongest fact, as received', () => {
  const lineOf = (lines: string) => parseWhoisText(NAME + lines, { domain: DOMAIN }).evidence;
  const record = (line: string) => ({ kind: 'record', line });
  expect(lineOf('Name Server: NS1.umi.example\nRegistrar: Kamome\n')).toEqual(record('Registrar: Kamome'));
  expect(lineOf('Name Server: NS1.umi.example\nStatus: ok')).toEqual(record('Name Server: NS1.umi.example'));
  expect(lineOf('Created: 2020-01-02\nStatus: ok')).toEqual(record('Status: ok'));
  expect(lineOf('Registrant: Umi K.K.\nCreated: 2020-01-02')).toEqual(record('Registrant: Umi K.K.'));
  expect(lineOf('Created: 2020-01-02')).toEqual(record(NAME.trim()));
});

test('the evidence of a registration is no line that merely contains the value', () => {
  const lineOf = (lines: string) => parseWhoisText(NAME + lines, { domain: DOMAIN }).evidence?.line;
  expect(lineOf('Registrant Street: 1 Brook\nCreated: 2020-01-02\nStatus: ok\n')).toBe('Status: ok');
  expect(lineOf('Registrant Name: Kamome Hoshi\nRegistrar: Kamome\nStatus: ok\n')).toBe('Registrar: Kamome');
  expect(lineOf('Server: NS1.umi.example is up\nName Server: NS1.UMI.EXAMPLE\nStatus: ok\n')).toBe(
    'Name Server: NS1.UMI.EXAMPLE',
  );
  expect(lineOf('Registrar:\n   Kamome\nName Server: ns1.umi.example\n')).toBe('Kamome');
});

test('a reservation or an invalid name that is another one says nothing of the queried name', () => {
  for (const [name, state] of [
    ['The name', 'reserved'],
    [DOMAIN, 'reserved'],
    ['other.example', 'broken'],
  ] as const)
    expect([name, stateOf(`${name} cannot be registered: it is reserved\n`)]).toEqual([name, state]);
  for (const reference of ['see policy.nic.example', 'by nic.example'])
    expect(stateOf(`This name is reserved ${reference}\n`)).toBe('reserved');
  expect(stateOf('other.example cannot be registered: it is reserved\n', null)).toBe('reserved');
  expect(stateOf('Malformed request\n')).toBe('invalid');
  expect(stateOf('Malformed request other.example\n')).toBe('broken');
});

describe('a wait', () => {
  test.each(
    listOf(`
      Try again in 45 seconds. = 45 | Try again in 2 minutes. = 120 | Try again in 1 hour. = 3600 |
      Try again in 0.5 hours. = 1800 | wait 1.2 sec = 2 | Wait 90-SECONDS = 90 | Wait 3 MINs = 180 |
      within 5 and 10 minutes = 600
    `),
  )('%s seconds', (row) => {
    const [line = '', seconds] = row.split(' = ');
    expect(readStatedWait([line])).toBe(Number(seconds));
  });

  test.each(
    listOf(`
      Retry after 30s | version 1.2.3 minutes | whois-45 seconds | -45 seconds | 4500000 seconds |
      Try again later.
    `),
  )('is not stated by %j', (line) => {
    expect(readStatedWait([line])).toBeNull();
  });

  test('is read from the throttling line and the three below it, not from the name', () => {
    const waitOf = (text: string, domain = DOMAIN) => parseWhoisText(text, { domain }).retryAfterSeconds;
    expect(waitOf('Too many requests\na\nb\nWait 30 seconds\n')).toBe(30);
    expect(waitOf('Too many requests\na\nb\nc\nWait 30 seconds\n')).toBeNull();
    expect(waitOf('Wait 30 seconds\nToo many requests\n')).toBeNull();
    expect(waitOf('Too many requests\n30seconds.example\n', '30seconds.example')).toBeNull();
  });
});

test('of several records the queried one is read, else the first with facts', () => {
  const nameOf = (text: string, domain: string | null) => parseWhoisText(text, { domain }).parsed.domainName;
  const records = ['yoru.example', 'umi.example', 'hoshi.example'].map((name, at) =>
    at === 0 ? `Domain Name: ${name}\n` : `Domain Name: ${name}\nCreation Date: 202${at}-01-02\n`,
  );
  const text = records.join('\n');
  expect(nameOf(text, 'hoshi.example')).toBe('hoshi.example');
  expect(nameOf(text, null)).toBe('umi.example');
});

test('evidence is a line of at most 200 characters, without blanks around it, never cut within a character', () => {
  const lineOf = (text: string) => evidenceOf('sentence', text).line;
  expect(lineOf('  No match\t')).toBe('No match');
  expect(lineOf('x'.repeat(200))).toBe('x'.repeat(200));
  expect(lineOf('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
  expect(lineOf(`${'x'.repeat(198)}🐈yyy`)).toBe(`${'x'.repeat(198)}…`);
});
