import { afterEach, describe, expect, it } from 'vitest';
import { record } from '../../test/loopback-world.ts';
import { NIC, closeWorld, errorOf, open } from '../../test/opened-world.ts';

afterEach(closeWorld);

const root = { test: { refer: NIC } };

async function failureOf(text: string) {
  const { lookUp } = await open({ root, whois: { [NIC]: text } });
  return errorOf(lookUp('example.test'));
}

describe('a failing server is reported with its text', () => {
  it.each([
    'This WHOIS server does not exist any longer. See https://rdap.nic.test/\r\n',
    'Your IP address was not found in the list of authorised clients.\r\n',
    '<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>\n',
    'HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nNot found',
    '{"error":"not found"}\n',
    'TLD not found\r\n',
    'Domain not found on this server. Try whois.other.example\r\n',
    'Registrar of example.test not found\r\n',
    'No match for "203.0.113.9".\r\n',
    'Le serveur n’existe pas.\r\n',
    'Dieser Rechner ist nicht registriert.\r\n',
    'サーバーが見つかりません。\r\n',
    '用户未注册\r\n',
    'Domain Name: example.test\r\nMessage: Please try later\r\n',
    '',
  ])('%j', async (text) => {
    expect(await failureOf(text)).toMatchObject({
      code: 'registry_unavailable',
      details: { raw: text, whoisServer: NIC },
    });
  });
});

describe('a record of another name', () => {
  it.each([
    ['is no registration of the one asked for', record('other.test')],
    ['is none when the name asked for is a part of it', record('www.example.test')],
    ['of the zone is none', record('test')],
    ['is no "no" either', 'Domain: other.test\r\nStatus: free\r\n'],
  ])('%s', async (_, text) => {
    const error = await failureOf(text);
    expect(error).toMatchObject({ code: 'registry_unavailable', details: { raw: text } });
    expect(error).toHaveProperty('details.hops.1.outcome', 'broken');
  });

  it('is followed to its referral', async () => {
    const { lookUp } = await open({
      root,
      whois: {
        [NIC]: `${record('other.test')}ReferralServer: whois://whois.second.test\r\n`,
        'whois.second.test': record('example.test'),
      },
    });
    expect(await lookUp('example.test')).toMatchObject({ whoisServer: 'whois.second.test' });
  });
});
