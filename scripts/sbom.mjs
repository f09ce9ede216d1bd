// Prints the SBOM of mokuroku as CycloneDX: the packages that npm installs with it, and those that the build bundles
// (dist/THIRD-PARTY-LICENSES.txt), which npm lists as tools of the build. `npm sbom --omit=dev` also omits packages
// shared with a tool of the build (npm 11, 2026-11-23), so the names come from `npm ls`.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

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

const manifests = new URL('../packages/', import.meta.url);
const own = readdirSync(manifests).map((folder) => {
  const { name, version } = JSON.parse(readFileSync(new URL(`${folder}/package.json`, manifests), 'utf8'));
  return `${name}@${version}`;
});
const licences = readFileSync(new URL('mokuroku/dist/THIRD-PARTY-LICENSES.txt', manifests), 'utf8');
const bundled = licences.match(/^[@a-z]\S* \d+\.\d+\.\S+$/gm).map((line) => line.replace(' ', '@'));
const { mokuroku } = npm('ls', '--all', '--omit=dev', '--json', '--workspace=mokuroku').dependencies;
const refs = new Set([...partsOf(mokuroku), ...bundled]);

const { components, dependencies, metadata, ...head } = npm('sbom', '--sbom-format=cyclonedx');
const component = components.find((part) => part['bom-ref'] === `mokuroku@${mokuroku.version}`);
const listed = components.filter((part) => refs.delete(part['bom-ref']));
if (refs.size > 0) throw new Error(`unknown to npm, build anew: ${[...refs].join(', ')}`);

const known = new Set(listed.map((part) => part['bom-ref']));
const needsOf = (of) => {
  const needed = dependencies
    .filter(({ ref }) => of.includes(ref))
    .flatMap(({ dependsOn = [] }) => dependsOn);
  return [...new Set(needed)].filter((each) => known.has(each));
};
// The other packages of the repository are bundled: what they need, mokuroku needs.
const graph = [
  { ref: component['bom-ref'], dependsOn: needsOf(own) },
  ...[...known].map((ref) => ({ ref, dependsOn: needsOf([ref]) })),
];
const required = listed.map((part) => ({ ...part, scope: 'required' }));
const sbom = {
  ...head,
  metadata: { ...metadata, component },
  components: required,
  dependencies: graph,
};
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
