import { afterEach, describe, expect, it } from 'vitest';
import { record, startWorld } from '../../../test/registration/loopback-world.ts';
import type { World } from '../../../test/registration/loopback-world.ts';

let world: World | undefined;

afterEach(async () => {
  await world?.close();
  world = undefined;
});

const NIC = 'whois.nic.test';

async function answerOf(
  text: string,
  given = 'example.test',
  root: object = { refer: NIC },
): Promise<unknown> {
  const tld = given.slice(given.lastIndexOf('.') + 1);
  world = await startWorld({ root: { [tld]: root as { refer: string } }, whois: { [NIC]: text } });
  return world.lookUp(given).catch((reason: unknown) => reason);
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
    expect(await answerOf(text)).toMatchObject({
      code: 'registry_unavailable',
      status: 502,
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
    const error = await answerOf(text);
    expect(error).toMatchObject({ code: 'registry_unavailable', details: { raw: text } });
    expect(error).toHaveProperty('details.hops.1.outcome', 'broken');
  });

  it('is followed to its referral', async () => {
    world = await startWorld({
      root: { test: { refer: NIC } },
      whois: {
        [NIC]: `${record('other.test')}ReferralServer: whois://whois.second.test\r\n`,
        'whois.second.test': record('example.test'),
      },
    });
    expect(await world.lookUp('example.test')).toMatchObject({ whoisServer: 'whois.second.test' });
  });
});

describe('a record states its name', () => {
  it.each([
    ['in capitals', 'example.test', record('EXAMPLE.TEST')],
    ['with the root’s dot', 'example.test', record('example.test.')],
    ['in Unicode', 'xn--bcher-kva.test', record('bücher.test')],
    ['without its zone', 'example.test', record('example')],
    ['in the other zone of one registry', 'example.xn--kprw13d', record('example.台灣')],
  ])('%s', async (_, spelling, text) => {
    expect(await answerOf(text, spelling)).toMatchObject({ state: 'registered' });
  });
});
