import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

// One name has one meaning: no type, and nothing exported, is declared under the same name in two files of src/.

/** Names that several files share for the same meaning, by reason. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'each page has its own': ['ShownView', 'VIEW_NAMES', 'en', 'hrefOf', 'ja', 'mount', 'readView', 'words'],
  'the typed client and the pages import no code of the services': [
    ...['AnyNovel', 'DatedRanking', 'Json', 'Language', 'NameOutcome'],
    ...['RankingEntry', 'RankingHistoryEntry', 'isRecord'],
  ],
  'the library has what the endpoint publishes': ['Evidence', 'lookUpDomain', 'lookUpMany'],
  'a schema and the record that it describes': ['CodeLabel', 'Suggestions', 'UserRecord'],
};

const SRC = new URL('../../src/', import.meta.url);

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
);

/** Names of all types and exports in one file. */
function declaredIn(file: string): Set<string> {
  const text = readFileSync(new URL(file, SRC), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const names = source.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (ts.isVariableStatement(statement)) {
      const { declarations } = statement.declarationList;
      return isExported ? declarations.map(({ name }) => (ts.isIdentifier(name) ? name.text : '')) : [];
    }
    const isType =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement);
    return (isType || (ts.isFunctionDeclaration(statement) && isExported)) && statement.name
      ? [statement.name.text]
      : [];
  });
  return new Set(names);
}

it('each name that a file of src/ exports, and each name of a type, stands for one thing', () => {
  const filesOf = new Map<string, string[]>();
  for (const file of files) {
    for (const name of declaredIn(file)) filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  }
  const several = [...filesOf].filter(([, where]) => where.length > 1);
  const shared = new Set(Object.values(SHARED).flat());
  expect(several.filter(([name]) => !shared.has(name))).toEqual([]);
  // Every listed name is still shared.
  expect([...shared].filter((name) => (filesOf.get(name)?.length ?? 0) < 2)).toEqual([]);
});
