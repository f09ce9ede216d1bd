import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

// One name has one meaning. No type, no function of a module and nothing exported is declared under the same name in two
// files of src/. A method may be, as its object says of what it is the method, while it takes as many arguments. A name
// says what kind of thing it is: a bare verb or participle does not.

/** Names that several files share for the same meaning, by reason. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'each page has its own': ['ShownView', 'VIEW_NAMES', 'en', 'hrefOf', 'ja', 'mount', 'readView', 'words'],
  'the typed client and the pages import no code of the services': [
    'AnyNovel',
    'DatedRanking',
    'Json',
    'Language',
    'NameOutcome',
    'RankingEntry',
    'RankingHistoryEntry',
    'isRecord',
    'parseJson',
  ],
  'the library has what the endpoint publishes': ['Evidence', 'lookUpDomain', 'lookUpMany'],
  'a schema and the record that it describes': ['Suggestions', 'UserRecord'],
};

/** Methods that take other arguments at another object, with the same meaning, by reason. */
const SHARED_METHODS: Readonly<Record<string, readonly string[]>> = {
  'verbs of every collection': ['add', 'find', 'get', 'has', 'read', 'set', 'write'],
  'verbs of whatever has a beginning and an end': ['close', 'finish', 'load', 'release', 'run', 'start'],
  'a permit: from a queue until a signal aborts, from a bucket at once': ['acquire'],
  'a source is searched as its index is, with the client that searches': [
    'changes',
    'facets',
    'search',
    'stream',
    'suggest',
  ],
  'a name is looked up with the signal of its client, or without': ['lookUp'],
  'an endpoint of the catalogue is given its services': ['ask'],
  'each page has its own': ['children', 'titleOf'],
};

const BARE_WORDS: ReadonlySet<string> = new Set(
  'asked found held hold keep kept known lasting met room settle settled take taken tell told wanted'.split(
    ' ',
  ),
);
/** Options of the command line: the user's word. */
const OPTIONS: ReadonlySet<string> = new Set(['keep']);

const SRC = new URL('../../src/', import.meta.url);

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
);

interface Declared {
  /** Types, functions, exports. */
  readonly names: ReadonlySet<string>;
  readonly methods: readonly { readonly name: string; readonly takes: number }[];
  /** Names without an object, also of parameters, members and variables. */
  readonly bare: readonly string[];
}

/** A name's function, if it is declared as one: `f() {}`, `f: () => {}`, `f(): void`. */
function functionOf(node: ts.Node): ts.SignatureDeclaration | undefined {
  if (ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return node;
  if (ts.isPropertySignature(node) && node.type && ts.isFunctionTypeNode(node.type)) return node.type;
  const value =
    ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node) ? node.initializer : undefined;
  return value && ts.isArrowFunction(value) ? value : undefined;
}

function namesIn(statement: ts.Statement): string[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations
      .filter((declaration) => isExported || functionOf(declaration) !== undefined)
      .map(({ name }) => (ts.isIdentifier(name) ? name.text : ''));
  }
  const isNamed =
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isFunctionDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

function declaredIn(file: string): Declared {
  const text = readFileSync(new URL(file, SRC), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const methods: { name: string; takes: number }[] = [];
  const bare: string[] = [];
  const visit = (node: ts.Node) => {
    const name = 'name' in node ? (node.name as ts.Node | undefined) : undefined;
    const isDeclared = !ts.isPropertyAccessExpression(node) && !ts.isImportSpecifier(node);
    if (name && isDeclared && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
      const word = name.text.replace('#', '');
      if (BARE_WORDS.has(word) && !OPTIONS.has(word)) bare.push(`${word} in ${file}`);
    }
    if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) {
      for (const member of node.members) {
        // A private method is read within its class only.
        if (!member.name || !ts.isIdentifier(member.name)) continue;
        const signature = functionOf(member);
        if (signature) methods.push({ name: member.name.text, takes: signature.parameters.length });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { names: new Set(source.statements.flatMap(namesIn)), methods, bare };
}

const declared = files.map((file) => ({ file, ...declaredIn(file) }));

/** What is listed and not in several files any more, or in several files and not listed. */
function compare(several: ReadonlyMap<string, readonly string[]>, lists: typeof SHARED) {
  const shared = new Set(Object.values(lists).flat());
  return {
    unlisted: [...several].filter(([name]) => !shared.has(name)),
    outdated: [...shared].filter((name) => !several.has(name)),
  };
}

it('each type, function and exported name in src/ has one meaning', () => {
  const filesOf = new Map<string, string[]>();
  for (const { file, names } of declared) {
    for (const name of names) filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  }
  const several = new Map([...filesOf].filter(([, where]) => where.length > 1));
  expect(compare(several, SHARED)).toEqual({ unlisted: [], outdated: [] });
});

it('methods of one name in src/ take the same number of arguments', () => {
  const formsOf = new Map<string, Map<number, string[]>>();
  for (const { file, methods } of declared) {
    for (const { name, takes } of methods) {
      const forms = formsOf.get(name) ?? new Map<number, string[]>();
      formsOf.set(name, forms.set(takes, [...(forms.get(takes) ?? []), file]));
    }
  }
  const several = [...formsOf].filter(
    ([, forms]) => forms.size > 1 && new Set([...forms.values()].flat()).size > 1,
  );
  const listed = new Map(
    several.map(([name, forms]) => [
      name,
      [...forms].map(([takes, where]) => `${takes}: ${where.join(', ')}`),
    ]),
  );
  expect(compare(listed, SHARED_METHODS)).toEqual({ unlisted: [], outdated: [] });
});

it('each name in src/ has an object', () => {
  expect(declared.flatMap(({ bare }) => bare)).toEqual([]);
});
