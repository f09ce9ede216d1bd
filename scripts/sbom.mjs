// Prints the package's SBOM as CycloneDX: the packages that npm installs with it, and those that the build bundles
// (packages/mokuroku/dist/THIRD-PARTY-LICENSES.txt), which npm lists as tools of the build. `npm sbom --omit=dev` also omits packages
// shared with a tool of the build (npm 11, 2026-11-23), so the names come from `npm ls`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const npm = (...args) =>
  JSON.parse(
    execFileSync('npm', args, {
      encoding: 'utf8',
      maxBuffer: 64_000_000,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );

function* partsOf({ dependencies = {} }) {
  for (const [name, part] of Object.entries(dependencies)) {
    // A missing optional package has no version.
    if (part.version !== undefined) yield `${name}@${part.version}`;
    yield* partsOf(part);
  }
}

const licences = readFileSync(
  new URL('../packages/mokuroku/dist/THIRD-PARTY-LICENSES.txt', import.meta.url),
  'utf8',
);
const bundled = licences.match(/^[@a-z]\S* \d+\.\d+\.\S+$/gm).map((line) => line.replace(' ', '@'));
const refs = new Set([
  ...partsOf(npm('ls', '--workspace=mokuroku', '--all', '--omit=dev', '--json')),
  ...bundled,
]);

const { components, dependencies, ...head } = npm('sbom', '--sbom-format=cyclonedx');
const listed = components.filter((part) => refs.delete(part['bom-ref']));
if (refs.size > 0) throw new Error(`unknown to npm, build anew: ${[...refs].join(', ')}`);

// The repository is the root for npm; the SBOM is of one of its packages.
const component = listed.find(({ name }) => name === 'mokuroku');
listed.splice(listed.indexOf(component), 1);
head.metadata.component = component;

const known = new Set([component, ...listed].map((part) => part['bom-ref']));
const graph = dependencies
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) }));
const required = listed.map((part) => ({ ...part, scope: 'required' }));
process.stdout.write(`${JSON.stringify({ ...head, components: required, dependencies: graph }, null, 2)}\n`);
