import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { nameInSentence } from './names.ts';

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
