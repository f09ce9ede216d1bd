import { expect, test } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';

const HOSHI = 'Domain Name: hoshi.example\nRegistrar: Kamome\nCreation Date: 2001-02-03\n';
const read = (text: string, domain = 'hoshi.example') => parseWhoisText(text, { domain });

test('lines above the name of a second record belong to it, not to the first', () => {
  const text = `${HOSHI}\nstate: active\nholder: Umi\ndomain: yoru.example\ncreated: 2011-12-13\n`;
  expect(read(text, 'yoru.example')).toMatchObject({
    state: 'registered',
    parsed: { status: ['active'], creationDate: '2011-12-13', registrar: null },
  });
  expect(read(text)).toMatchObject({
    state: 'registered',
    parsed: { status: [], creationDate: '2001-02-03' },
    incomplete: ['status'],
  });
});

test('an answer about another name that also contains the requested one proves nothing', () => {
  const { state, parsed } = read(`${HOSHI}\n[ yoru.example ]\nHeld since 2011-12-13\n`, 'yoru.example');
  expect([state, parsed.creationDate]).toEqual(['broken', null]);
});

test('a denial with the record of a similar name below it proves nothing', () => {
  const denial = 'Domain Name: yoru.example\nThe domain yoru.example was not found.\n';
  for (const between of ['', '\nNotice: a similar name is registered:\n'])
    expect(read(denial + between + HOSHI, 'yoru.example')).toMatchObject({
      state: 'broken',
      parsed: { registrar: null, creationDate: null },
    });
});

test('the name in a denial does not make a record without a name its own', () => {
  const fields = 'Registrar: Kamome\nCreation Date: 2001-02-03\nName Server: ns1.kamome.example\n';
  for (const denial of [
    'Not found: yoru.example',
    'NO MATCH: yoru.example',
    'yoru.example: no entries found.',
  ])
    for (const gap of ['\n', '\n\nRemarks: see below\n'])
      expect(read(`${denial}${gap}${fields}`, 'yoru.example').state).toBe('broken');
});

test('a host as a heading below the facts is no name of their record', () => {
  const text = 'Queried: yoru.example\nRegistrar: Kamome\nCreation Date: 2001-02-03\nkamome.example:\n';
  expect(read(text, 'yoru.example')).toMatchObject({ state: 'registered', parsed: { domainName: null } });
});

test('an empty label of a status takes no value from below an empty line', () => {
  expect(read(`${HOSHI}Status:\n\n   Visit us\n`).parsed.status).toEqual([]);
});

test('where a status states the expiry, an unreadable status may state it', () => {
  const text = '[Domain Name] HOSHI.CO.JP\n[Registered Date] 2001/02/03\n[State] Koukai (2027)\n';
  expect(read(text, 'hoshi.co.jp').incomplete).toEqual(['expirationDate', 'status']);
});

test('no detail of a host’s record is one of the name', () => {
  const host =
    'Server Name: HOSHI.EXAMPLE.YORU.EXAMPLE\nRegistrar: Iruka\nReferral URL: http://iruka.example\n';
  const { parsed } = read(`${host}\n${HOSHI}Referral URL: http://kamome.example\n`);
  expect(parsed.registrarDetails?.url).toBe('http://kamome.example');
  expect(read(`${host}\n${HOSHI}`).parsed.registrarDetails).toBeNull();
});

test('a list ends at a line indented like its heading, with and without an empty line', () => {
  for (const gap of ['\n', '']) {
    const text = `Domain:\n\thoshi.example\n${gap}Registered For:\n\tUmi\n${gap}Registered By:\n\tKamome\n${gap}Flags:\n\tok\n${gap}Visit us at the harbour\n`;
    expect(read(text).parsed).toMatchObject({ registrar: 'Kamome', status: ['ok'] });
  }
});

test('of successive changes the last one counts, and none of a later object', () => {
  const text = `domain: hoshi.example\nchanged: umi 20010203 (Assigned)\nchanged: umi 20110203 (Changed)\nstatus: ok\nperson: Umi\nchanged: umi 20210203\n`;
  expect(read(text).parsed).toMatchObject({ creationDate: '2001-02-03', updatedDate: '2011-02-03' });
});

const unreadIn = (text: string, domain?: string) => {
  const { state, incomplete } = read(text, domain);
  return [state, ...incomplete];
};

test('an unseparated contact object gives the domain no value', () => {
  const domain = 'domain: hoshi.example\nregistrar: KAMOME\nregistered: 2001-02-03\n';
  const contact = 'contact: UMI1\nregistrar: KAMOME\ncreated: 2010-11-12\nchanged: 2019-08-07\n';
  expect(read(`${domain}\n${contact}`).parsed).toMatchObject({
    creationDate: '2001-02-03',
    updatedDate: null,
  });
  expect(unreadIn(domain + contact)).toEqual(['registered', 'updatedDate']);
  // A single handle of a person is one more line of the domain's own object.
  const own = 'domain: hoshi.example\nperson: Umi\nregistrar: KAMOME\ncreated: 2001-02-03\n';
  expect(read(own).parsed).toMatchObject({ registrar: 'KAMOME', creationDate: '2001-02-03' });
});

test('an object whose first label comes last gives the domain no value', () => {
  const domain = 'domain: hoshi.example\nregistrar: Kamome\ncreated: 2001-02-03\n';
  expect(read(`${domain}\nnic-hdl: UMI1\neppstatus: associated\n`).parsed.status).toEqual([]);
  expect(unreadIn(`${domain}\neppstatus: associated\nnic-hdl: UMI1\n`)).toEqual(['registered', 'status']);
});

test('a registrar’s handle is resolved by the object that repeats it, else it is dropped', () => {
  const domain = 'domain: hoshi.example\nregistrar: KAMO-0001\ncreated: 2001-02-03\n';
  const registrar = 'registrar: KAMO-0001\norganization: Kamome\ncreated: 2010-11-12\n';
  for (const gap of ['\n', '']) {
    expect(read(domain + gap + registrar).parsed).toMatchObject({
      registrar: 'Kamome',
      creationDate: '2001-02-03',
    });
  }
  expect(unreadIn(`${domain}\norganization: Kamome\nregistrar: KAMO-0001\n`)).toEqual([
    'registered',
    'registrar',
  ]);
});

test('a registrar between two records, the second without one, is ambiguous', () => {
  const umi = 'Domain Name: umi.example\nCreation Date: 2011-12-13\n';
  const between = `Domain Name: hoshi.example\nCreation Date: 2001-02-03\n\nRegistrar: Kamome\n\n${umi}`;
  expect(unreadIn(between)).toEqual(['registered', 'registrar']);
  expect(unreadIn(between, 'umi.example')).toEqual(['registered', 'registrar']);
  expect(read(`${between}Registrar: Iruka\n`).parsed.registrar).toBe('Kamome');
});

test('hosts below another object are doubtful with the fields of that object', () => {
  const domain = 'domain: hoshi.example\ncreated: 2001-02-03\n';
  const contact = 'person: Umi\ncreated: 2010-11-12\n';
  const hosts = 'nserver: ns1.umi.example\n';
  expect(read(domain + contact + hosts).parsed.nameServers).toEqual(['ns1.umi.example']);
  expect(unreadIn(`${domain}${contact}changed: 2019-08-07\n${hosts}`)).toEqual([
    'registered',
    'updatedDate',
    'nameServers',
  ]);
});

test('a denial beside a doubtful field is unreadable', () => {
  const text = 'domain: hoshi.example\nperson: Umi\nperson: Yoru\ncreated: 2010-11-12\n\nNo entries found\n';
  expect(unreadIn(text, 'hoshi.example')[0]).toBe('broken');
});

test('a bare name, a query and a name of one label start records too', () => {
  for (const opening of [
    'umi.example\n\n',
    'Query: umi.example\n',
    'domain: UMI\n\n',
    '[Domain]\nDomain: umi.example\n',
  ]) {
    const text = `${HOSHI}\n${opening}Status: ok\nUpdated: 2011-12-13\n`;
    const { state, parsed } = read(text);
    if (state !== 'broken') {
      expect(parsed).toMatchObject({ registrar: 'Kamome', status: [], updatedDate: null });
    }
  }
});

test('prose below the last status is no status', () => {
  const text = `${HOSHI}Status: ok\nThese data are given for information, and\n  nobody vouches for them. By\n`;
  expect(read(text).parsed.status).toEqual(['ok']);
});

test('a throttling or refusing answer about the name is not read as a record of another', () => {
  const throttled = 'Query rate limit exceeded. Please wait 30 seconds.\n';
  for (const text of [`${throttled}\n${HOSHI}`, `${HOSHI}\n${throttled}`]) {
    expect(read(text, 'umi.example')).toMatchObject({ state: 'throttled', parsed: { registrar: null } });
  }
});
