import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { ONE_LABEL, addHosts, hostAt, hostName, isHostLine, isQueriedName, nameInSentence } from './names.ts';

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
    ' umi.example',
    'umi　.example',
    `${'a'.repeat(62)}.`.repeat(4) + 'aaa',
    ...listOf(`
      umi | umi. | .umi.example | -umi.example | umi..example | umi.-example | umi._example | 192.0.2.1 |
      umi.example:53 | umi.example/path | hoshi@umi.example | ns1.umi.example! | umi：.example
    `),
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
  for (const label of ['jp', 'xn--p1ai', 'umi-2', 'a'.repeat(63)]) expect(ONE_LABEL.test(label)).toBe(true);
  for (const text of ['', 'a', 'umi.', 'umi hoshi', ' umi', 'umi_2', 'a'.repeat(64)]) {
    expect(ONE_LABEL.test(text)).toBe(false);
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

  test('are at most 64 of one record, and one more that shows the cut', () => {
    const hosts = Array.from({ length: 64 }, (_, at) => `ns${at}.umi.example`);
    addHosts(hosts, 'a.umi.example b.umi.example');
    expect(hosts.slice(64)).toEqual(['a.umi.example']);
  });
});

describe('an answer belongs to a name', () => {
  test.each([
    ['example.test', 'example.test'],
    ['bücher.test', 'xn--bcher-kva.test'],
    ['example', 'example.test'],
    ['example.xn--kprw13d', 'example.xn--kpry57d'],
    ['example.台灣', 'example.xn--kpry57d'],
    ['example.xn--fiqs8s', 'example.xn--fiqz9s'],
    ['example.中国', 'example.xn--fiqz9s'],
  ])('if it states %s and %s was requested', (stated, name) => {
    expect(isQueriedName(stated, name)).toBe(true);
  });

  test.each([
    [null, 'example.test'],
    ['other.test', 'example.test'],
    // The zone itself, though the name begins with the same label.
    ['test', 'test.test'],
    // A name above another zone.
    ['example.co', 'example.co.uk'],
    ['exam', 'example.test'],
    ['example.xn--kprw13d', 'example.xn--fiqz9s'],
    ['xn--kprw13d.test', 'xn--kpry57d.test'],
  ])('not if it states %s and %s was requested', (stated, name) => {
    expect(isQueriedName(stated, name)).toBe(false);
  });
});

describe('the name in a sentence', () => {
  test.each([
    ['No match for "UMI.EXAMPLE".', 'umi.example'],
    ['umi.example', 'umi.example'],
    ['umi.example...', 'umi.example'],
    ['Not found: umi.example, sorry', 'umi.example'],
    ['(umi.example)', 'umi.example'],
    ['No match for かもめ.みんな', 'かもめ.みんな'],
    ['not found：かもめ.みんな', 'かもめ.みんな'],
    ['At whois.nic.example no umi.example', 'umi.example'],
    ['www.nic.example rdap.nic.example umi.example yoru.example', 'umi.example'],
    ['1.2 seconds for umi.example', 'umi.example'],
    ['whoisumi.example', 'whoisumi.example'],
  ])('%j is %s', (sentence, name) => {
    expect(nameInSentence(sentence)).toBe(name);
  });

  test.each([
    '',
    ...listOf(`
      Not found. | Ask hoshi@umi.example | See https://umi.example/ | umi.example/path | umi.example@hoshi |
      whois.nic.example | on 2030.01.02 | -umi.example
    `),
  ])('is absent in %j', (sentence) => {
    expect(nameInSentence(sentence)).toBeNull();
  });
});
