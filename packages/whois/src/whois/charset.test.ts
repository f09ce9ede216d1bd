import { describe, expect, test } from 'vitest';
import { decodeWhois } from './charset.ts';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('the charset of an answer', () => {
  test('strict UTF-8 is read as UTF-8 whatever charset the server usually sends', () => {
    expect(decodeWhois(Buffer.from('Domain: 例え.test'), 'whois.twnic.net.tw')).toBe('Domain: 例え.test');
  });

  test('ISO-2022-JP is detected by its escape sequences, although it is 7-bit', () => {
    expect(decodeWhois(hex('5b 1b 24 42 4c 3e 41 30 1b 28 42 5d'), null)).toBe('[名前]');
  });

  test.each([
    ['whois.kr', 'b5 b5 b8 de c0 ce', '도메인'],
    ['whois.twnic.net.tw', 'ba f4 b0 ec', '網域'],
    ['whois.cnnic.cn', 'd3 f2 c3 fb', '域名'],
    ['whois.kg', 'c4 ee ec e5 ed', 'Домен'],
    ['whois.net.ua', 'e4 cf cd c5 ce', 'Домен'],
    ['whois.registro.br', '4e fa 63 6c 65 6f', 'Núcleo'],
    ['WHOIS.NIC.HU', 'f5', 'ő'],
    ['whois.nic.tr', 'dd fe', 'İş'],
    ['whois.example', '93 4e fa 94', '“Nú”'],
  ])('%s may respond in its own 8-bit charset', (server, bytes, text) => {
    expect(decodeWhois(hex(bytes), server)).toBe(text);
  });

  test('lines of two charsets are each read in their own', () => {
    const mixed = Buffer.concat([
      Buffer.from('Owner: Ålands\n'),
      latin1('City: Málaga\n'),
      Buffer.from('ü\n'),
    ]);
    expect(decodeWhois(mixed, null)).toBe('Owner: Ålands\nCity: Málaga\nü\n');
  });

  test('a character cut in two at the end does not turn the whole text into another charset', () => {
    const whole = Buffer.from('Owner: Ålands\nCity: Mariehamn\nName: Å');
    expect(decodeWhois(whole.subarray(0, -1), null)).toBe('Owner: Ålands\nCity: Mariehamn\nName: �');
  });

  test('16 bits a character show in the first ones, without a byte order mark too', () => {
    const little = Buffer.from('Owner: Ålands Čeština', 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16()])
      expect(decodeWhois(bytes, null)).toBe('Owner: Ålands Čeština');
  });

  test('byte order marks are removed and respected', () => {
    expect(decodeWhois(Buffer.from('\ufeffDomain: a.test'), null)).toBe('Domain: a.test');
    expect(decodeWhois(Buffer.from('\ufeffDomain', 'utf16le'), null)).toBe('Domain');
  });

  test('NUL bytes vanish', () => {
    expect(decodeWhois(Buffer.from('Dom\0ain\0'), null)).toBe('Domain');
  });

  test('every charset decodes every byte value without throwing', () => {
    const all = Uint8Array.from({ length: 4096 }, (_, index) => index % 256);
    for (const server of ['whois.kr', 'whois.nic.ad.jp', 'whois.twnic.net', 'whois.thnic.co.th', null]) {
      expect(decodeWhois(all, server).length).toBeGreaterThan(0);
    }
    expect(decodeWhois(new Uint8Array(), null)).toBe('');
  });
});
