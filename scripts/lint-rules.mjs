// Rules of this repository for oxlint: syntax that is not used here.
const MODULE_STATE =
  'No module state: two services, or two tests, in one process would share it. Hand it in.';
/** At the top of a module, exported or not. */
const AT_TOP = ':matches(Program, ExportNamedDeclaration) > VariableDeclaration';

const TIMEOUT = 'MemberExpression[object.name="AbortSignal"][property.name="timeout"]';

/** A rule against nodes, by esquery selector. */
const against = (message, ...selectors) => ({
  create: (context) =>
    Object.fromEntries(selectors.map((selector) => [selector, (node) => context.report({ node, message })])),
});

export default {
  meta: { name: 'own' },
  rules: {
    'named-exports': against('Named exports only: a thing has one name.', 'ExportDefaultDeclaration'),
    'no-module-state': against(
      MODULE_STATE,
      `${AT_TOP}[kind="let"]`,
      // Empty at first, so filled later. A table is made from its rows at once.
      `${AT_TOP} > VariableDeclarator > NewExpression[callee.name=/^(Weak)?(Map|Set)$/][arguments.length=0]`,
      `${AT_TOP} > VariableDeclarator > ArrayExpression[elements.length=0]`,
      `${AT_TOP} > VariableDeclarator > NewExpression[callee.name=/Cache$/]`,
    ),
    deadlines: against(
      'Node 20 collects this time-out with its signal and never aborts: withDeadline of @mokuroku/kit/deadline.',
      `CallExpression[callee.object.name="AbortSignal"][callee.property.name="any"] ${TIMEOUT}`,
    ),
    'one-deadline': against('Deadlines: withDeadline of @mokuroku/kit/deadline.', TIMEOUT),
    'types-apart': against(
      'Types are imported by a statement of their own: import type { ... }.',
      'ImportDeclaration[importKind="value"] > ImportSpecifier[importKind="type"]',
    ),
  },
};
