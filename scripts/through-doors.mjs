// A plugin of esbuild: a bundle imports the files behind a package's door, not the door. A door reaches all that is
// behind it, so esbuild would put all of it into what every command loads at its start.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FROM_DOOR = /^(import|export) \{([^}]*)\} from '((?:@mokuroku\/|mokuroku-)[^']+)';/gm;
const FORWARDED = /^export \{([^}]*)\} from '(\.[^']+)';/gm;

const namesIn = (list) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));

/** Name -> the file that the door takes it from. What a door declares itself is not in it. */
function forwardedBy(door) {
  const files = new Map();
  for (const [, names, file] of readFileSync(door, 'utf8').matchAll(FORWARDED)) {
    for (const name of namesIn(names)) files.set(name, path.join(path.dirname(door), file));
  }
  return files;
}

export function throughDoors() {
  const doors = new Map();
  const fileOf = (specifier, name) => {
    const door = fileURLToPath(import.meta.resolve(specifier));
    if (!doors.has(door)) doors.set(door, forwardedBy(door));
    return doors.get(door).get(name) ?? door;
  };
  const direct = (_, keyword, names, specifier) =>
    namesIn(names)
      .map(
        (name) =>
          `${keyword} { ${name} } from ${JSON.stringify(fileOf(specifier, name.replace(/ as .*/, '')))};`,
      )
      .join(' ');
  return {
    name: 'through-doors',
    setup: ({ onLoad }) => {
      onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => ({
        loader: 'ts',
        contents: readFileSync(file, 'utf8').replaceAll(FROM_DOOR, direct),
      }));
    },
  };
}
