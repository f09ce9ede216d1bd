import { type Parameters, UpstreamError } from './parameters.ts';
import { type PhpRecord, toPhpJson } from './php-json.ts';
import { toPhpSerialized } from './php-serialize.ts';
import type { NarouServerSwitches } from './switches.ts';
import { toYaml } from './yaml.ts';

export type Format = 'yaml' | 'json' | 'jsonp' | 'php';

// The manuals' own rule for a callback's name.
const CALLBACK = /^\$?[a-zA-Z0-9[\]._]+$/;

/** The text of an answer in the format that `out` names; YAML without it. Atom feeds are not built. */
export function writeRows(
  rows: readonly PhpRecord[],
  parameters: Parameters,
  switches: NarouServerSwitches,
): { format: Format; text: string } {
  const out = parameters.get('out') ?? 'yaml';
  switch (out) {
    case 'json':
      return { format: 'json', text: toPhpJson(rows) };
    case 'php':
      return { format: 'php', text: toPhpSerialized(rows) };
    case 'jsonp':
      return writeJsonp(rows, parameters, switches);
    case 'atom':
      throw new UpstreamError('Error: Atom feeds are not offered by this server.');
  }
  if (out !== 'yaml' && switches.unknownOut === 'error') throw new UpstreamError('Error: Invalid out.');
  return { format: 'yaml', text: toYaml(rows, Number(parameters.get('libtype') ?? 0)) };
}

const writeJsonp = (
  rows: readonly PhpRecord[],
  parameters: Parameters,
  switches: NarouServerSwitches,
): { format: Format; text: string } => {
  const callback = parameters.get('callback') ?? '';
  if (CALLBACK.test(callback)) return { format: 'jsonp', text: `${callback}(${toPhpJson(rows)})` };
  if (switches.badCallback === 'error') throw new UpstreamError('Error: Invalid callback.');
  return { format: 'json', text: toPhpJson(rows) };
};
