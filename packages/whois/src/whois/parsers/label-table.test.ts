import { describe, expect, test } from 'vitest';
import { LabelTable, labelWords, plainLabel, wordsOfLists } from './label-table.ts';

const TABLE = new LabelTable([
  ['domain name', 'domain'],
  ['última actualización', 'updated'],
  ['name server', 'server'],
  ['主dns', 'server'],
  ['name-server', 'other'],
  ['v6', 'digit'],
]);

describe('a label is found', () => {
  test.each([
    ['Domain Name', 'domain'],
    ['domain_name', 'domain'],
    ['DOMAIN-NAME....', 'domain'],
    [' domain\u00a0name\u3000\ufeff', 'domain'],
    ['[domain/name]', 'domain'],
    ['{Domain~Name}', 'domain'],
    ['`domain@name`', 'domain'],
    ['ULTIMA ACTUALIZACION', 'updated'],
    ['主DNS', 'server'],
    ['Name Server 1', 'server'],
    ['Name Server (primary)', 'server'],
    ['Name Server12 (1)', 'server'],
    ['V6', 'digit'],
    ['Nazwa / Domain Name', 'domain'],
    ['Domain Name / Nazwa', 'domain'],
    ['Nazwa/Nom/Nome/Domain Name', 'domain'],
    ['Nazwa / Name Server (1)', 'server'],
  ])('as %j', (label, meaning) => {
    expect(TABLE.get(label)).toBe(meaning);
  });

  test.each([
    '',
    '1',
    '(domain name)x',
    '2 domain name',
    'domain',
    'domain names',
    'Nazwa 1',
    'Nazwa',
    // The fifth language.
    'Nazwa/Nom/Nome/Navn/Domain Name',
  ])('not as %j', (label) => {
    expect(TABLE.get(label)).toBeUndefined();
  });
});

test('an exact look-up accepts other spellings, but neither numbers nor languages', () => {
  expect(['DOMAIN.NAME', 'Última actualización'].map((label) => TABLE.getExact(label))).toEqual([
    'domain',
    'updated',
  ]);
  for (const label of ['Name Server 1', 'Nazwa / Domain Name']) expect(TABLE.getExact(label)).toBeUndefined();
});

test('of two spellings of one label the first counts', () => {
  expect(TABLE.getExact('name-server')).toBe('server');
});

test('a plain label has the letters and digits of every script, without accents', () => {
  expect(plainLabel('Détails de l’Année 2 (ÅÉÎ) _サーバー_')).toBe(
    plainLabel('details del’annee2aeiサーバー'),
  );
  expect(plainLabel('az AZ 09 - / : @ [ ` { ~')).toBe('azaz09');
});

test('the words of lists that span lines have the name of their list', () => {
  expect(labelWords('one|two words\n   | three ')).toEqual(['one', 'two words', 'three']);
  expect(wordsOfLists({ a: 'one|two', b: 'three' })).toEqual([
    ['one', 'a'],
    ['two', 'a'],
    ['three', 'b'],
  ]);
});
