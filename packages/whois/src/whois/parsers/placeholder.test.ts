import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { isFirm, isPersonOrFirm, isPlaceholder, looksLikeName, withoutWebsite } from './placeholder.ts';

describe('a placeholder instead of a name', () => {
  test.each([
    '',
    '${name}',
    ...listOf(`
      - | ... | N/A | n.a | NA | (n/a) | NaN | yes | True | FALSE | tba | T.B.D | none | Null | nil | no |
      undefined | Unspecified | unknown | <empty> | pending | nobody | Loading... | error | try again |
      free | available | not available | not yet set | no registrar | no registrar found |
      no registrar yet | to be assigned | awaiting approval | Pending verification | 未定 | 未設定 | なし | 無 | 无 |
      미정 | 없음 | none, yet | Your name | please ask us | Enter name | [insert name] | the server is away |
      names are sold | it was lost | umi has no owner | lookup failed | query failure | timeout |
      timed out | time-out | time out | exception | refused | access denied | error while reading |
      error in line | error 7 | <% name %> | <? name | {{name}} | <registrar> | name() | see on line 12 |
      Registrar? | 1498673-CoCCA | No registrar listed.  This domain is registered directly with Nominet. |
      No registration status listed. | notApplicable
    `),
  ])('%j', (value) => {
    expect(isPlaceholder(value)).toBe(true);
    expect(isPersonOrFirm(value)).toBe(false);
  });

  test.each([
    `None${' '.repeat(80)}`,
    ...listOf(`
      Kamome Names | Umi K.K. | Nona Ltd | Nonesuch Names | None-Such Names | Freenames |
      Not Found Names Ltd | Empty Harbour Inc | Isis Names | Errors Ltd | Timeouts 24 | 星空文庫 |
      Kamome <Names> | Kamome (Names) | 123-Reg | Nolisted Ltd
    `),
  ])('not %j', (value) => {
    expect(isPlaceholder(value)).toBe(false);
  });
});

test('the website behind a registrar’s name is removed', () => {
  expect(withoutWebsite('Kamome Ltd. (http://kamome.example)')).toBe('Kamome Ltd.');
  expect(withoutWebsite('Kamome Ltd. (HTTPS://kamome.example/a)')).toBe('Kamome Ltd.');
  expect(withoutWebsite('Kamome(http://kamome.example)')).toBe('Kamome');
  for (const name of ['Kamome (Japan)', 'Kamome (http://kamome.example) Ltd.']) {
    expect(withoutWebsite(name)).toBe(name);
  }
});

test('a name has a capital, a digit or a letter without case', () => {
  for (const name of ['Umi', '1und', '星', 'é9']) expect(looksLikeName(name)).toBe(true);
  for (const text of ['', 'umi hoshi', 'été.', '- / -']) expect(looksLikeName(text)).toBe(false);
});

describe('a firm', () => {
  test.each(
    listOf(`
      Kamome AG | Kamome a.g | Kamome A/S | Kamome ApS | Kamome B.V. | Kamome BV | Kamome Corp |
      Kamome d.o.o. | Kamome GmbH | Kamome,Inc. | Kamome K.K. | Kamome Kft | Kamome KG | Kamome LLC |
      Kamome L.L.C. | Kamome Ltd | Kamome Ltda. | Kamome N.V. | Kamome Oy | Kamome PLC | Kamome Pty |
      Kamome Pte | Kamome Pvt | Kamome SA | Kamome S.A.S | Kamome SARL | Kamome S.p.A. | Kamome srl |
      Kamome s.r.o. | 株式会社かもめ | かもめ 株式会社 | Kamome AB | Kamome AS | Kamome Co. | Kamome CO | Kamome Company |
      Kamome Corporation | Kamome Incorporated | Kamome Limited | Kamome LIMITED
    `),
  )('%s', (name) => {
    expect(isFirm(name)).toBe(true);
    expect(isPersonOrFirm(name)).toBe(true);
  });

  test.each([
    null,
    ...listOf(`
      Ltd | Kamome | Kamome Ltd of Umi | rate limited | Only one company | Kamomeag | KamomeLimited |
      Your Name Ltd
    `),
  ])('not %s', (name) => {
    expect(isFirm(name)).toBe(false);
  });
});

test('nobody is no person', () => {
  expect([null, 'somebody', 'Hoshi Hana'].map(isPersonOrFirm)).toEqual([false, false, true]);
});
