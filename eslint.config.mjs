import { builtinModules } from 'node:module';
import tseslint from 'typescript-eslint';

/** At the top of a module, exported or not. */
const AT_TOP = ':matches(Program, ExportNamedDeclaration) > VariableDeclaration';
const MODULE_STATE =
  'No module state: two services, or two tests, in one process would share it. Hand it in.';

const NAMED_EXPORTS = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only: a thing has one name.' },
];
const NO_MODULE_STATE = [
  { selector: `${AT_TOP}[kind="let"]`, message: MODULE_STATE },
  {
    // Empty at first, so filled later. A table is made from its rows at once.
    selector: `${AT_TOP} > VariableDeclarator > NewExpression[callee.name=/^(Weak)?(Map|Set)$/][arguments.length=0]`,
    message: MODULE_STATE,
  },
  { selector: `${AT_TOP} > VariableDeclarator > ArrayExpression[elements.length=0]`, message: MODULE_STATE },
  { selector: `${AT_TOP} > VariableDeclarator > NewExpression[callee.name=/Cache$/]`, message: MODULE_STATE },
];
const TYPES_APART = [
  {
    selector: 'ImportDeclaration[importKind="value"] > ImportSpecifier[importKind="type"]',
    message: 'Types are imported by a statement of their own: import type { ... }.',
  },
];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'dist-client/',
      'node_modules/',
      'bench/node_modules/',
      'coverage/',
      'fixtures/',
      'reports/',
      '.cache/',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      // A handler that does one thing is one line: `onClick={() => setOpen(!isOpen)}`.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-restricted-imports': [
        'error',
        {
          paths: builtinModules
            .filter((name) => !name.startsWith('node:'))
            .map((name) => ({ name, message: `Node's own modules are imported as node:${name}.` })),
        },
      ],
      'no-restricted-syntax': ['error', ...NAMED_EXPORTS],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...NAMED_EXPORTS, ...NO_MODULE_STATE, ...TYPES_APART] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // Markup is long without being hard to follow.
    files: ['src/**/*.tsx'],
    rules: {
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['*.config.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['bench/**/*.ts', 'scripts/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.test.ts', 'test/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
