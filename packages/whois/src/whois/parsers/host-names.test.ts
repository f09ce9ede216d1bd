import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { addHosts, hostAt, hostName, isHostLine, isOneLabel } from './names.ts';

describe('the host at the start of a value', () => {
  test.each([
    ['ns1.umi.example', 'ns1.umi.example'],
    ['NS1.umi.example. 192.0.2.1', 'NS1.umi.example.'],
    ['ns1.umi.example,ns2', 'ns1.umi.example'],
    ['ns1.umi.example;', 'ns1.umi.example'],
    ['ns1.umi.example(192.0.2.1)', 'ns1.umi.example'],
    ['ns1.umi.example[192.0.2.1]', 'ns1.umi.example'],
    ['ns1.umi.example\t192.0.2.1', 'ns1.umi.example'],
    ['_dns.umi_1.example', '_dns.umi_1.example'],
    ['かもめ.みんな', 'かもめ.みんな'],
    ['1.umi.xn--p1ai', '1.umi.xn--p1ai'],
    [`${'a'.repeat(62)}.`.repeat(4) + 'aa', `${'a'.repeat(62)}.`.repeat(4) + 'aa'],
  ])('%s', (value, host) => {
    expect(hostAt(value)).toBe(host);
  });

  test.each([
    '',
    'umi',
    'umi.',
    '.umi.example',
    '-umi.example',
    'umi..example',
    'umi.-example',
    'umi._example',
    '192.0.2.1',
    'umi.example:53',
    'umi.example/path',
    'hoshi@umi.example',
    ' umi.example',
    'ns1.umi.example!',
    'umi　.example',
    'umi：.example',
    `${'a'.repeat(62)}.`.repeat(4) + 'aaa',
  ])('%j starts with none', (value) => {
    expect(hostAt(value)).toBeNull();
  });
});

test('a host is published in lower case without its dot, a placeholder not at all', () => {
  expect(hostName('NS1.Umi.Example.')).toBe('ns1.umi.example');
  expect(hostName('n.a.b.example')).toBe('n.a.b.example');
  for (const placeholder of ['not.defined.', 'No.Nameserver', 'not.available', 'n.a', 'none.none']) {
    expect(hostName(placeholder)).toBeNull();
  }
});

test('one label is a name without its zone', () => {
  for (const label of ['jp', 'xn--p1ai', 'umi-2', 'a'.repeat(63)]) expect(isOneLabel(label)).toBe(true);
  for (const text of ['', 'a', 'umi.', 'umi hoshi', ' umi', 'umi_2', 'a'.repeat(64)]) {
    expect(isOneLabel(text)).toBe(false);
  }
});

describe('a line of a list of hosts', () => {
  test.each([
    'ns1.umi.example ',
    ...listOf(`
      ns1.umi.example | ns1.umi.example 192.0.2.1 | ns1.umi.example. (192.0.2.1/24) [2001:db8::1%0] |
      ns1.umi.example - | ns1.umi.example, ns2.umi.example; ns3.umi.example |
      umi.example. 86400 IN NS ns1.umi.example. | umi.example. 86400 NS ns1.umi.example. |
      umi.example IN NS ns1.umi.example | umi.example ns ns1.umi.example | umi NS ns1.umi.example
    `),
  ])('%j', (line) => {
    expect(isHostLine(line)).toBe(true);
  });

  test.each([
    '',
    ...listOf(`
      umi | ns1.umi.example is down | Umi ns1.umi.example | 192.0.2.1 ns1.umi.example | ns1.umi.example -- |
      umi.example. IN A 192.0.2.1 | umi.example IN NS 192.0.2.1 | umi.example NS |
      xx umi.example. 86400 IN NS ns1.umi.example.
    `),
  ])('not %j', (line) => {
    expect(isHostLine(line)).toBe(false);
  });
});

describe('the hosts of a value, without addresses, remarks and repeats', () => {
  test.each([
    ['NS1.umi.example', ['ns1.umi.example']],
    ['NS1.umi.example (192.0.2.1)', ['ns1.umi.example']],
    [
      'ns1.umi.example, ns2.umi.example;ns3.umi.example',
      ['ns1.umi.example', 'ns2.umi.example', 'ns3.umi.example'],
    ],
    ['ns1.umi.example NS1.UMI.EXAMPLE. ns2.umi.example', ['ns1.umi.example', 'ns2.umi.example']],
    ['ns1.umi.example 192.0.2.1 ns2.umi.example', ['ns1.umi.example']],
    ['not.defined ns2.umi.example', ['ns2.umi.example']],
    ['umi.example. 86400 IN NS ns1.umi.example.', ['ns1.umi.example']],
    ['umi.example. 1234567890 NS ns1.umi.example.', ['ns1.umi.example']],
    ['192.0.2.1', []],
  ])('%s', (value, hosts) => {
    const added: string[] = [];
    addHosts(added, value);
    expect(added).toEqual(hosts);
  });

  test('are at most 64 of one record', () => {
    const hosts = Array.from({ length: 63 }, (_, at) => `ns${at}.umi.example`);
    addHosts(hosts, 'a.umi.example b.umi.example');
    expect(hosts.slice(63)).toEqual(['a.umi.example']);
  });
});
