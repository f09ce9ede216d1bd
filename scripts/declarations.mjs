// Bundles the declarations of the package's public entry points with TypeScript's API. The result equals tsc's
// output, except that the client's declarations are self-contained. The client's types derive from the services'
// tables and schemas; its users have neither these nor zod. So every type that a client file imports from outside
// src/client/ is inlined.
import path from 'node:path';
import ts from 'typescript';

const { NodeBuilderFlags, SyntaxKind, factory } = ts;
const FLAGS =
  NodeBuilderFlags.NoTruncation | NodeBuilderFlags.InTypeAlias | NodeBuilderFlags.MultilineObjectLiterals;

/** `all`: file (relative to src/, ending in .d.ts) -> text; `faces`: the public entry points. */
export function emitDeclarations(root) {
  const { fileNames, options } = readConfig(path.join(root, 'tsconfig.types.json'));
  const program = ts.createProgram(fileNames, options);
  const faults = ts.getPreEmitDiagnostics(program);
  if (faults.length > 0) throw new Error(ts.formatDiagnostics(faults, ts.createCompilerHost(options)));
  const written = new Map();
  const writeFile = (file, text) => written.set(path.relative(options.outDir, file), text);
  const inClient = path.join(root, 'src/client/');
  program.emit(undefined, writeFile, undefined, true, {
    afterDeclarations: [
      () => (file) => (file.fileName.startsWith(inClient) ? writeOutImports(program, file) : file),
    ],
  });
  const faces = fileNames.map((file) => path.relative(options.rootDir, file).replace(/\.ts$/, '.d.ts'));
  return { all: written, faces };
}

function readConfig(file) {
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, path.dirname(file));
}

const comesFromOutside = (statement) => statement.moduleSpecifier?.text.startsWith('../');
const endsExports = (statement) =>
  ts.isExportDeclaration(statement) && statement.exportClause?.elements?.length === 0;

function writeOutImports(program, file) {
  const statements = file.statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement) && comesFromOutside(statement)) {
      return statement.importClause.namedBindings.elements.map((name) => writtenOut(program, name, []));
    }
    if (ts.isExportDeclaration(statement) && comesFromOutside(statement)) {
      const exported = [factory.createModifier(SyntaxKind.ExportKeyword)];
      return statement.exportClause.elements.map((name) => writtenOut(program, name, exported));
    }
    return [statement];
  });
  // Without `export {}`, every declaration of a declaration file counts as exported.
  if (!file.statements.some(endsExports)) {
    statements.push(factory.createExportDeclaration(undefined, false, factory.createNamedExports([])));
  }
  return factory.updateSourceFile(file, statements);
}

/** `type Name = ...` as the compiler resolves it, without names of the original file. */
function writtenOut(program, specifier, modifiers) {
  const checker = program.getTypeChecker();
  const name = ts.getOriginalNode(specifier).name;
  const type = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(checker.getSymbolAtLocation(name)));
  const node = typeNode(checker, type, name.getSourceFile());
  return factory.createTypeAliasDeclaration(modifiers, name.text, undefined, node);
}

const namesFile = (node) => ts.isImportTypeNode(node) || ts.forEachChild(node, namesFile) === true;

/** A type without names of any file. */
function typeNode(checker, type, scope) {
  const node = checker.typeToTypeNode(type, scope, FLAGS);
  if (!type.isClassOrInterface() && !namesFile(node)) return node;
  if (type.isUnion()) {
    return factory.createUnionTypeNode(type.types.map((each) => typeNode(checker, each, scope)));
  }
  if (checker.isArrayType(type)) {
    const items = factory.createArrayTypeNode(typeNode(checker, checker.getTypeArguments(type)[0], scope));
    const isReadonly = type.symbol.name === 'ReadonlyArray';
    return isReadonly ? factory.createTypeOperatorNode(SyntaxKind.ReadonlyKeyword, items) : items;
  }
  return factory.createTypeLiteralNode(
    checker.getPropertiesOfType(type).map((each) => property(checker, each, scope)),
  );
}

function property(checker, symbol, scope) {
  // A property of a mapped type has no declaration.
  const [declaration] = symbol.declarations ?? [];
  const isReadonly = declaration && ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly;
  return factory.createPropertySignature(
    isReadonly ? [factory.createModifier(SyntaxKind.ReadonlyKeyword)] : undefined,
    symbol.name,
    symbol.flags & ts.SymbolFlags.Optional ? factory.createToken(SyntaxKind.QuestionToken) : undefined,
    typeNode(checker, checker.getTypeOfSymbol(symbol), scope),
  );
}
