import type { Completable, CompletableOption } from './completable.ts';

/** Text inside single quotes, with what _arguments would take for its own syntax escaped. */
const quoted = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''");

function optionSpec({ name, description, takesValue, values }: CompletableOption): string {
  const value = !takesValue ? '' : values.length > 0 ? `:value:(${values.join(' ')})` : ':value: ';
  return `'--${name}[${quoted(description)}]${value}'`;
}

function commandCase({ name, options, words }: Completable): string {
  const rest = words.length > 0 ? `'1:value:(${words.join(' ')})'` : "'*: :'";
  const specs = [...options.map(optionSpec), rest];
  return `    ${name})\n      _arguments ${specs.join(' \\\n        ')} ;;`;
}

export function zshScript(commands: readonly Completable[]): string {
  const list = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`).join('\n');
  return `#compdef mokuroku
# zsh completion of mokuroku
_mokuroku() {
  local -a commands
  commands=(
${list}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${commands.map(commandCase).join('\n')}
  esac
}
if [ "$funcstack[1]" = "_mokuroku" ]; then _mokuroku "$@"; else compdef _mokuroku mokuroku; fi
`;
}
