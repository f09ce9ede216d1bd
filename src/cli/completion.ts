import type { Command } from './command.ts';
import { UsageError, defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { didYouMean } from './nearest.ts';
import { translated } from './say.ts';
import type { Terminal } from './terminal.ts';

/** What a shell is told of one command: the one model behind the four scripts. */
interface Completable {
  name: string;
  summary: string;
  options: readonly CompletableOption[];
  /** Values of its word. */
  words: readonly string[];
}

interface CompletableOption {
  name: string;
  description: string;
  takesValue: boolean;
  values: readonly string[];
}

/** The first sentence, which is all a menu has room for. */
const firstSentence = (text: string): string =>
  (text.split(/(?<=[.:])\s|(?<=。)/, 1)[0] ?? '').replace(/[.:。]$/, '');

function describe({ name, summary, args, word }: Command, terminal: Terminal): Completable {
  const short = (text: string): string => firstSentence(translated(terminal, text));
  const options = Object.entries(args).map(([option, { type, description, values = [] }]) => ({
    name: option,
    description: short(description),
    takesValue: type !== 'boolean',
    values,
  }));
  const help = { name: 'help', description: short('Options and examples'), takesValue: false, values: [] };
  return { name, summary: short(summary), options: [...options, help], words: word?.values ?? [] };
}

/** For bash 3.2 and later, with or without the bash-completion package. */
function bashScript(commands: readonly Completable[]): string {
  const words = (list: readonly string[]): string => `"${list.join(' ')}"`;
  const dashed = ({ options }: Completable): string[] => options.map((option) => `--${option.name}`);
  const valueCase = ({ name, values }: CompletableOption): string => {
    // `of` is a list joined by hyphens: the last code is what is completed.
    const complete = name === 'of' ? '_mokuroku_list' : '_mokuroku_words';
    return `        --${name}) ${values.length > 0 ? `${complete} ${words(values)}; ` : ''}return ;;`;
  };
  const commandCase = (command: Completable): string => {
    const cases = command.options.filter(({ takesValue }) => takesValue).map(valueCase);
    const inner = cases.length > 0 ? `      case "$previous" in\n${cases.join('\n')}\n      esac\n` : '';
    return `    ${command.name})
${inner}      if [[ $current == -* ]]; then _mokuroku_words ${words(dashed(command))}; else _mokuroku_words ${words(command.words)}; fi ;;`;
  };
  const names = commands.map(({ name }) => name);
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
  if [[ $COMP_CWORD -eq 1 ]]; then _mokuroku_words ${words([...names, 'help', '--help', '--version'])}; return; fi
  case "\${COMP_WORDS[1]}" in
${commands.map(commandCase).join('\n')}
    help) [[ $COMP_CWORD -eq 2 ]] && _mokuroku_words ${words(names)} ;;
  esac
}
complete -o default -F _mokuroku mokuroku
`;
}

function zshScript(commands: readonly Completable[]): string {
  // Inside single quotes, with what _arguments would take for its own syntax escaped.
  const quoted = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''");
  const optionSpec = ({ name, description, takesValue, values }: CompletableOption): string => {
    const value = !takesValue ? '' : values.length > 0 ? `:value:(${values.join(' ')})` : ':value: ';
    return `'--${name}[${quoted(description)}]${value}'`;
  };
  const commandCase = ({ name, options, words }: Completable): string => {
    const rest = words.length > 0 ? `'1:value:(${words.join(' ')})'` : "'*: :'";
    return `    ${name})\n      _arguments ${[...options.map(optionSpec), rest].join(' \\\n        ')} ;;`;
  };
  return `#compdef mokuroku
# zsh completion of mokuroku
_mokuroku() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`).join('\n')}
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

function fishScript(commands: readonly Completable[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ name, summary, options, words }) => {
    const inCommand = `complete -c mokuroku -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      `complete -c mokuroku -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...(words.length > 0 ? [`${inCommand} -a ${quoted(words.join(' '))}`] : []),
      ...options.map((option) => {
        const values = option.values.length > 0 ? ` -a ${quoted(option.values.join(' '))}` : '';
        const value = option.takesValue ? ` -x${values}` : '';
        return `${inCommand} -l ${option.name}${value} -d ${quoted(option.description)}`;
      }),
    ];
  });
  return `# fish completion of mokuroku\ncomplete -c mokuroku -f\n${lines.join('\n')}\n`;
}

function powershellScript(commands: readonly Completable[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const list = (words: readonly string[]): string => `@(${words.map(quoted).join(', ')})`;
  const tableOf = ({ name, summary, options, words }: Completable): string => {
    const rows = options.map((option) => {
      const values = option.takesValue ? list(option.values) : '$null';
      return `      '--${option.name}' = @{ text = ${quoted(option.description)}; values = ${values} }`;
    });
    return `    ${quoted(name)} = @{ text = ${quoted(summary)}; words = ${list(words)}; options = [ordered]@{
${rows.join('\n')}
    } }`;
  };
  return `# PowerShell completion of mokuroku
Register-ArgumentCompleter -Native -CommandName mokuroku -ScriptBlock {
  param($current, $line, $position)
  $commands = [ordered]@{
${commands.map(tableOf).join('\n')}
  }
  $given = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  $offers = [ordered]@{}
  if ($given.Count -le 1) {
    foreach ($name in $commands.Keys) { $offers[$name] = $commands[$name].text }
  } elseif ($commands.Contains($given[1])) {
    $command = $commands[$given[1]]
    $option = $command.options[$given[-1]]
    if ($null -ne $option -and $null -ne $option.values) {
      foreach ($value in $option.values) { $offers[$value] = $value }
    } elseif ($current.StartsWith('-')) {
      foreach ($name in $command.options.Keys) { $offers[$name] = $command.options[$name].text }
    } else {
      foreach ($word in $command.words) { $offers[$word] = $word }
    }
  }
  $offers.Keys | Where-Object { $_.StartsWith($current) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $offers[$_])
  }
}
`;
}

const SCRIPTS: Readonly<Record<string, (commands: readonly Completable[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};
const SHELLS = Object.keys(SCRIPTS);

/** Knows the commands that it stands among. */
export const createCompletionCommand = (known: Readonly<Record<string, () => Promise<Command>>>): Command =>
  defineCommand({
    name: 'completion',
    summary: 'Print the completion script of a shell.',
    word: { name: 'shell', description: 'One of bash, zsh, fish, powershell.', values: SHELLS },
    args: {},
    examples: [
      'source <(mokuroku completion bash)',
      'mokuroku completion zsh > "${fpath[1]}/_mokuroku"',
      'mokuroku completion fish > ~/.config/fish/completions/mokuroku.fish',
      'mokuroku completion powershell | Out-String | Invoke-Expression',
    ],
    run: async (_args, terminal, [shell = '']) => {
      const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
      if (!script) {
        const hint = didYouMean(shell, SHELLS);
        throw new UsageError(`There is no completion for ${shell}, only for ${SHELLS.join(', ')}.${hint}`);
      }
      const commands = await Promise.all(
        Object.values(known).map(async (load) => describe(await load(), terminal)),
      );
      terminal.out(script(commands));
      return EXIT.done;
    },
  });
