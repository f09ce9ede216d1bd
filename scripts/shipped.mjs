// The one list of packages whose code is in dist/: their licences go into dist/THIRD-PARTY-LICENSES.txt, of which the
// SBOM is made. Every bundler hands its inputs to `recordShipped`.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// The pages are not built each time, so the inputs of each bundler are kept.
const folder = (root) => path.join(root, 'node_modules/.cache/mokuroku/shipped');

export const hasRecord = (root, bundler) => existsSync(path.join(folder(root), `${bundler}.json`));

/** undefined for our own code, and for the few lines that a bundler adds itself (`\0vite/preload-helper.js`). */
function packageOf(root, input) {
  const file = input.startsWith('\0') ? '' : path.relative(root, path.resolve(root, input));
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function licenceOf(root, name) {
  const {
    name: title,
    version,
    license,
  } = JSON.parse(readFileSync(path.join(root, name, 'package.json'), 'utf8'));
  const file = readdirSync(path.join(root, name)).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? license : readFileSync(path.join(root, name, file), 'utf8').trim();
  return `${title} ${version}\n\n${text}\n`;
}

/** Licences require their distribution with the code. `inputs`: all files of a bundle, and names of its helpers. */
export function recordShipped(root, bundler, inputs) {
  mkdirSync(folder(root), { recursive: true });
  const packages = [...new Set(inputs.flatMap((input) => packageOf(root, input) ?? []))];
  writeFileSync(path.join(folder(root), `${bundler}.json`), JSON.stringify(packages));
  const all = readdirSync(folder(root)).flatMap((name) =>
    JSON.parse(readFileSync(path.join(folder(root), name), 'utf8')),
  );
  const texts = [...new Set(all)].sort().map((name) => licenceOf(root, name));
  writeFileSync(
    path.join(root, 'packages/mokuroku/dist/THIRD-PARTY-LICENSES.txt'),
    texts.join(`\n${'-'.repeat(80)}\n\n`),
  );
}
