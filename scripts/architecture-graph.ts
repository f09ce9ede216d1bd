import { cruise } from 'dependency-cruiser';
import type { ICruiseResult } from 'dependency-cruiser';

// The graph in ARCHITECTURE.md: folders under src/ and their imports, by dependency-cruiser.

/** Folders that are nodes of the graph; deeper files count to the deepest of these. */
const PARTS =
  /^src\/((?:catalogue|registration|sample)\/[^/]+|[^/]+)\/[^/]|^src\/(catalogue|registration|cli|client)\b/;

/**
 * Maps `src/catalogue/novels/ncode.ts` to `catalogue/novels`, and files beside a service's folders to the service.
 */
function partOf(file: string): string | undefined {
  const [, nested, top] = PARTS.exec(file) ?? [];
  const part = nested ?? top ?? (file === 'src/cli.ts' ? 'cli' : undefined);
  return part?.endsWith('.ts') ? part.replace(/\/[^/]+$/, '') : part;
}

interface Edge {
  from: string;
  to: string;
  isTypeOnly: boolean;
}

function edgesOf({ modules }: ICruiseResult): Edge[] {
  const edges = new Map<string, Edge>();
  for (const { source, dependencies } of modules) {
    const from = partOf(source);
    if (from === undefined || /\.test\.tsx?$/.test(source)) continue;
    for (const { resolved, dependencyTypes } of dependencies) {
      const to = partOf(resolved);
      // Imported everywhere: their arrows would hide the others.
      if (to === undefined || to === from || to === 'process') continue;
      const isTypeOnly = dependencyTypes.includes('type-only');
      const key = `${from} ${to}`;
      const edge = edges.get(key);
      if (edge) edge.isTypeOnly &&= isTypeOnly;
      else edges.set(key, { from, to, isTypeOnly });
    }
  }
  return [...edges.values()];
}

const id = (part: string): string => part.replaceAll(/[^a-z]/g, '_');

/** Mermaid text: a node per folder, an arrow per import, dotted for types only. */
export async function architectureGraph(root: string): Promise<string> {
  const { output } = await cruise(['src'], {
    baseDir: root,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.tsx?$|^node_modules|^node:' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.json'] },
  });
  if (typeof output === 'string') throw new Error('dependency-cruiser returned text instead of a result');
  const edges = edgesOf(output);
  const parts = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort();
  const boxes = (service: string) =>
    parts
      .filter((part) => part === service || part.startsWith(`${service}/`))
      .map((part) => `    ${id(part)}["${part}"]`);
  const others = parts.filter((part) => !/^(catalogue|registration|explorer)\b/.test(part));
  const arrows = edges.map(
    ({ from, to, isTypeOnly }) => `  ${id(from)} ${isTypeOnly ? '-.->' : '-->'} ${id(to)}`,
  );
  const group = (service: string) => [`  subgraph ${service}_service [" "]`, ...boxes(service), '  end'];
  return [
    'graph TD',
    ...others.map((part) => `  ${id(part)}["${part}"]`),
    ...['catalogue', 'registration', 'explorer'].flatMap(group),
    ...arrows.sort(),
  ].join('\n');
}

const BEGIN = '<!-- graph: written by `npm run architecture` -->\n';
const END = '<!-- end of graph -->';

/** Replaces the graph between the marks of the page. */
export function withGraph(page: string, graph: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('ARCHITECTURE.md has lost the marks around its graph.');
  return `${page.slice(0, begin + BEGIN.length)}\n\`\`\`mermaid\n${graph}\n\`\`\`\n\n${page.slice(end)}`;
}
