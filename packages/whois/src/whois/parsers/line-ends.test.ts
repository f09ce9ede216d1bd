import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { firstWord, firstWordOf, lastWord, lastWordOf } from './line-ends.ts';
import { folded, maskLine, nameFormsOf } from './masked-line.ts';

describe('the first and last word of a line, or * for a word that masking may change', () => {
  test.each([
    ['No match found.', 'no', 'found'],
    ['  >>> "NO" match (Found) <<<', 'no', 'found'],
    ['free', 'free', 'free'],
    ['umi-free is umi-free', 'umi', 'free'],
    ['', '', ''],
    ['%%', '', ''],
    ['umi.example is free', '*', 'free'],
    ['umi-hoshi.example is free', '*', 'free'],
    ['umi_hoshi.example is free', '*', 'free'],
    ['.example is a zone', '*', 'zone'],
    ['hoshi@umi.example: ask', '*', 'ask'],
    ['https://umi.example ask', '*', 'ask'],
    ['and/or free', '*', 'free'],
    ['Error: not free', 'error', 'free'],
    ['End. Free', 'end', 'free'],
    ['404 not found', '*', 'found'],
    ['a1 is found', '*', 'found'],
    ['été is found', '*', 'found'],
    ['No match for umi.example', 'no', '*'],
    ['No match for umi.example-hoshi.', 'no', '*'],
    ['No match for umi_hoshi.example.', 'no', '*'],
    ['Ask hoshi@umi', 'ask', '*'],
    ['See https://umi', 'see', '*'],
    ['See whois/umi', 'see', '*'],
    ['Wait 10', 'wait', '*'],
    ['Ask Zoë', 'ask', '*'],
    ['Status: free', 'status', 'free'],
    ['The end. Free.', 'the', 'free'],
    ['Zone of .example', 'zone', '*'],
  ])('%j', (line, first, last) => {
    expect([firstWord(line), lastWord(line)]).toEqual([first, last]);
  });
});

test('agree with those of the masked line', () => {
  const forms = nameFormsOf('umi.example');
  for (const line of listOf(`
    No match for "UMI.EXAMPLE". | umi.example is free | %% 10 queries of hoshi@umi.test at 2030-01-02 |
    Zone .example has no {name} | Domain umi.example. Not found | https://umi.example/ is away |
    상기 도메인이름은 등록
  `)) {
    const masked = maskLine(folded(line), forms);
    const [first, last] = [firstWordOf(masked), lastWordOf(masked)];
    expect([line, firstWord(line), lastWord(line)]).toEqual([line, first, last]);
  }
});
