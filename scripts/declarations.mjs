// Bundles the declarations of the package's public entry points with TypeScript's API. The result equals tsc's
// output, except that the client's declarations are self-contained. The client's types derive from the services'
// tables and schemas; its users have neither these nor zod. So every type that a client file imports from outside
// packages/client/ is inlined.
import path from 'node:path';
import ts from 'typescript';

const { NodeBuilderFlags, SyntaxKind, factory } = ts;
const FLAGS =
  NodeBuilderFlags.NoTruncation | NodeBuilderFlags.InTypeAlias | NodeBuilderFlags.MultilineObjectLiterals;

/** File (relative to packages/, ending in .d.ts) -> text. */
export function emitDeclarations(root) {
  const { fileNames, options } = readConfig(path.join(root, 'tsconfig.types.json'));
  const program = ts.createProgram(fileNames, options);
  const faults = ts.getPreEmitDiagnostics(program);
  if (faults.length > 0) throw new Error(ts.formatDiagnostics(faults, ts.createCompilerHost(options)));
  const written = new Map();
  const writeFile = (file, text) => written.set(path.relative(options.outDir, file), text);
  const inClient = path.join(root, 'packages/client/src/');
  program.emit(undefined, writeFile, undefined, true, {
    afterDeclarations: [
      () => (file) => (file.fileName.startsWith(inClient) ? writeOutImports(program, file) : file),
    ],
  });
  return written;
}

function readConfig(file) {
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, path.dirname(file));
}

const comesFromOutside = (statement) => /^(?:\.\.\/|[^.])/.test(statement.moduleSpecifier?.text ?? './');
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
  return inlineForeign(program, ts.getOriginalNode(file), factory.updateSourceFile(file, statements));
}

/** Writes each `import("package").Name` out, and those within what is written. */
function inlineForeign(program, scope, file) {
  const visit = (node) => {
    if (!ts.isImportTypeNode(node) || node.argument.literal.text.startsWith('./')) {
      return ts.visitEachChild(node, visit, undefined);
    }
    if (node.typeArguments !== undefined || node.isTypeOf) {
      throw new Error(`${scope.fileName}: cannot write out a type of ${node.argument.literal.text}`);
    }
    const type = foreignType(program, scope, node.argument.literal.text, node.qualifier.text);
    return ts.visitNode(typeNode(program.getTypeChecker(), type, scope), visit);
  };
  return ts.visitEachChild(file, visit, undefined);
}

function foreignType(program, scope, specifier, name) {
  const checker = program.getTypeChecker();
  const options = program.getCompilerOptions();
  const { resolvedModule } = ts.resolveModuleName(
    specifier,
    scope.fileName,
    options,
    ts.createCompilerHost(options),
    undefined,
    undefined,
    ts.ModuleKind.ESNext,
  );
  const module = checker.getSymbolAtLocation(program.getSourceFile(resolvedModule.resolvedFileName));
  const symbol = checker.getExportsOfModule(module).find((each) => each.name === name);
  const isAlias = symbol.flags & ts.SymbolFlags.Alias;
  return checker.getDeclaredTypeOfSymbol(isAlias ? checker.getAliasedSymbol(symbol) : symbol);
}

/** `type Name = ...` as the compiler resolves it, without names of the original file. */
function writtenOut(program, specifier, modifiers) {
  const checker = program.getTypeChecker();
  const name = ts.getOriginalNode(specifier).name;
  const type = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(checker.getSymbolAtLocation(name)));
  const scope = name.getSourceFile();
  return factory.createTypeAliasDeclaration(modifiers, name.text, undefined, typeNode(checker, type, scope));
}

const namesFile = (node) => ts.isImportTypeNode(node) || ts.forEachChild(node, namesFile) === true;

/** A type without names of any file. The compiler writes none for a type that no door exports. */
function typeNode(checker, type, scope) {
  const node = checker.typeToTypeNode(type, scope, FLAGS);
  if (!type.isClassOrInterface() && node !== undefined && !namesFile(node)) return node;
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
