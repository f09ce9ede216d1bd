import { expect, test } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';

const HOSHI = 'Domain Name: hoshi.example\nRegistrar: Kamome\nCreation Date: 2001-02-03\n';
const read = (text: string, domain = 'hoshi.example') => parseWhoisText(text, { domain });

test('what stands above the name of a second record is its own, and makes nothing of the first', () => {
  const text = `${HOSHI}\nstate: active\nholder: Umi\ndomain: yoru.example\ncreated: 2011-12-13\n`;
  expect(read(text, 'yoru.example')).toMatchObject({
    state: 'registered',
    parsed: { status: ['active'], creationDate: '2011-12-13', registrar: null },
  });
  expect(read(text)).toMatchObject({ state: 'broken', parsed: { status: [], creationDate: null } });
});

test('where the name asked for stands in an answer that is read as of another, nothing is believed', () => {
  const { state, parsed } = read(`${HOSHI}\n[ yoru.example ]\nHeld since 2011-12-13\n`, 'yoru.example');
  expect([state, parsed.creationDate]).toEqual(['broken', null]);
});

test('a list ends where a line is as far out as its heading, with and without an empty line', () => {
  for (const gap of ['\n', '']) {
    const text = `Domain:\n\thoshi.example\n${gap}Registered For:\n\tUmi\n${gap}Registered By:\n\tKamome\n${gap}Flags:\n\tok\n${gap}Visit us at the harbour\n`;
    expect(read(text).parsed).toMatchObject({ registrar: 'Kamome', status: ['ok'] });
  }
});

test('of changes that follow one another the last counts, and none of a later object', () => {
  const text = `domain: hoshi.example\nchanged: umi 20010203 (Assigned)\nchanged: umi 20110203 (Changed)\nstatus: ok\nperson: Umi\nchanged: umi 20210203\n`;
  expect(read(text).parsed).toMatchObject({ creationDate: '2001-02-03', updatedDate: '2011-02-03' });
});

test('the name once more among the name servers is none, on whichever side it stands', () => {
  for (const lines of [
    ['Domain: hoshi.example', 'DNS: hoshi.example'],
    ['DNS: hoshi.example', 'Domain: hoshi.example'],
  ]) {
    const text = `${lines.join('\n')}\nHostname: ns1.host.example\nHostname: ns2.host.example\nRegistrar: Kamome\n`;
    expect(read(text).parsed.nameServers).not.toContain('hoshi.example');
  }
});
