import type { Completable } from './completable.ts';

const words = (list: readonly string[]): string => `"${list.join(' ')}"`;

function commandCase({ name, options, words: values }: Completable): string {
  const valued = options.filter(({ takesValue }) => takesValue);
  const cases = valued.map((option) => {
    // `of` is a list joined by hyphens: the last code is what is completed.
    if (option.name === 'of') return `        --of) _mokuroku_list ${words(option.values)}; return ;;`;
    if (option.values.length === 0) return `        --${option.name}) return ;;`;
    return `        --${option.name}) _mokuroku_words ${words(option.values)}; return ;;`;
  });
  const inner = cases.length > 0 ? `      case "$previous" in\n${cases.join('\n')}\n      esac\n` : '';
  const all = words(options.map((option) => `--${option.name}`));
  return `    ${name})
${inner}      if [[ $current == -* ]]; then _mokuroku_words ${all}; else _mokuroku_words ${words(values)}; fi ;;`;
}

/** For bash 3.2 and later, with or without the bash-completion package. */
export function bashScript(commands: readonly Completable[]): string {
  const names = words([...commands.map(({ name }) => name), 'help', '--help', '--version']);
  return `# bash completion of mokuroku
_mokuroku_words() {
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}
_mokuroku_list() {
  local before=""
  [[ $current == *-* ]] && before="\${current%-*}-"
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "\${current##*-}"))
}
_mokuroku() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then _mokuroku_words ${names}; return; fi
  case "\${COMP_WORDS[1]}" in
${commands.map(commandCase).join('\n')}
    help) [[ $COMP_CWORD -eq 2 ]] && _mokuroku_words ${words(commands.map(({ name }) => name))} ;;
  esac
}
complete -o default -F _mokuroku mokuroku
`;
}
