import type { Command, ListedCommand, Options } from './command.ts';
import { UsageError, defineCommand, option } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { HELP_OF_COMMAND, VERSION_OPTION } from './help.ts';
import { nearestWord } from './nearest.ts';
import { translated } from './say.ts';
import type { Terminal } from './terminal.ts';
import type { Text } from '../process/text.ts';
import { text } from '../process/text.ts';

type Commands = Readonly<Record<string, ListedCommand>>;

/** A completion and its description. */
type Offer = readonly [value: string, text: Text | undefined];

/** Completions from a closed set. In a list (`t-n-g`, `201,202`) the last member is completed. */
function offerValues(option: string, typed: string, values: readonly string[] = []): Offer[] {
  const before = typed.replace(/[^-,]*$/, '');
  return values.map((value) => [`${option}${before}${value}`, undefined]);
}

function offerOptions(args: Options, before: readonly string[]): Offer[] {
  const unusedOptions = Object.entries(args).filter(([name]) => !before.includes(`--${name}`));
  const options = unusedOptions.map(([name, { description }]): Offer => [`--${name}`, description]);
  return [...options, ['--help', text('Options and examples', 'オプションと例')]];
}

/** All completions of `current` after the words `before` (the first is `mokuroku`). */
async function offersAt(current: string, before: readonly string[], commands: Commands): Promise<Offer[]> {
  const [, name = ''] = before;
  const names = Object.entries(commands).map(([each, { summary }]): Offer => [each, summary]);
  const help: Offer = ['help', HELP_OF_COMMAND];
  if (before.length < 2) return [...names, help, ['--help', undefined], ['--version', VERSION_OPTION]];
  if (name === 'help') return before.length === 2 ? names : [];
  if (!Object.hasOwn(commands, name)) return [];
  const { args, word }: Pick<Command, 'args' | 'word'> = (await commands[name]?.load()) ?? { args: {} };
  const optionOf = (word: string) => args[/^--(.*)/.exec(word)?.[1] ?? ''];
  const [option = '', value] = current.split('=', 2);
  if (value !== undefined) return offerValues(`${option}=`, value, optionOf(option)?.values);
  const previous = optionOf(before.at(-1) ?? '');
  if (previous?.type === 'string') return offerValues('', current, previous.values);
  return current.startsWith('-') ? offerOptions(args, before) : offerValues('', '', word?.values);
}

/** The first sentence, for which a menu has space; never ends inside a bracket. */
const firstSentence = (about: string): string =>
  (about.split(/(?<=[.:])\s|(?<=。)/, 1)[0] ?? '').replace(/[.:。]$|\s*[(（][^)）]*$/g, '');

async function suggestCompletions(
  current: string,
  before: readonly string[],
  commands: Commands,
  terminal: Terminal,
): Promise<boolean> {
  // bash splits `--order=new` into three words.
  const words = before.filter((word) => word !== '=');
  const typed = current === '=' ? '' : current;
  const offers = await offersAt(typed, words, commands);
  const fitting = offers.filter(([value]) => value.startsWith(typed));
  const lines = fitting.map(
    ([value, about]) => `${value}\t${about ? firstSentence(translated(terminal, about)) : ''}\n`,
  );
  terminal.out(lines.join(''));
  return fitting.length > 0;
}

/**
 * The scripts call `mokuroku completion --suggest`, so all shells offer the same, for the installed version. Without
 * completions the shell offers file names.
 */
const SCRIPTS: Readonly<Record<string, string>> = {
  // For bash 3.2 and later, with or without the bash-completion package.
  bash: `# bash completion of mokuroku
_mokuroku() {
  local offers IFS=$' \\t\\n'
  offers=$(mokuroku completion --suggest="\${COMP_WORDS[COMP_CWORD]}" -- "\${COMP_WORDS[@]:0:COMP_CWORD}" 2>/dev/null)
  IFS=$'\\n'
  COMPREPLY=($(cut -f 1 <<< "$offers"))
}
complete -o default -F _mokuroku mokuroku
`,
  zsh: `#compdef mokuroku
# zsh completion of mokuroku
_mokuroku() {
  local -a offers
  offers=(\${(f)"$(mokuroku completion --suggest="\${(Q)words[CURRENT]}" -- "\${(@Q)words[1,CURRENT-1]}" 2>/dev/null)"})
  offers=(\${\${offers/$'\\t'/:}%:})
  (( $#offers )) && _describe mokuroku offers || _files
}
if [ "$funcstack[1]" = "_mokuroku" ]; then _mokuroku "$@"; else compdef _mokuroku mokuroku; fi
`,
  fish: `# fish completion of mokuroku
function __mokuroku_offers
  set -l current (commandline -ct)
  mokuroku completion --suggest="$current" -- (commandline -opc) 2>/dev/null
  or __fish_complete_path "$current"
end
complete -c mokuroku -f -a '(__mokuroku_offers)'
`,
  powershell: `# PowerShell completion of mokuroku
Register-ArgumentCompleter -Native -CommandName mokuroku -ScriptBlock {
  param($current, $line, $position)
  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  $asked = @("--suggest=$current", '--') + $before
  mokuroku completion @asked 2>$null | ForEach-Object {
    $value, $text = $_ -split "\`t", 2
    if (-not $text) { $text = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text)
  }
}
`,
};
const SHELLS = Object.keys(SCRIPTS);

export const createCompletionCommand = (commands: Commands) =>
  defineCommand({
    word: {
      name: 'shell',
      description: text(
        'One of bash, zsh, fish, powershell; with --suggest the words so far.',
        'bash、zsh、fish、powershell のどれか。--suggest では、それまでの単語。',
      ),
      isMany: true,
      values: SHELLS,
    },
    args: {
      suggest: option(
        'beginning',
        'Print the completions of this beginning after the given words; used by the scripts.',
        'それまでの単語に続く補完候補のうち、この文字列で始まるものを出力します（補完スクリプト用）。',
      ),
    },
    examples: [
      'source <(mokuroku completion bash)',
      'mokuroku completion zsh > "${fpath[1]}/_mokuroku"',
      'mokuroku completion fish > ~/.config/fish/completions/mokuroku.fish',
      'mokuroku completion powershell | Out-String | Invoke-Expression',
    ],
    run: async ({ suggest: current }, terminal, words) => {
      if (current !== undefined) {
        return (await suggestCompletions(current, words, commands, terminal)) ? EXIT.done : EXIT.absent;
      }
      const shell = words.join(' ');
      const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
      if (script === undefined) {
        const allowed = SHELLS.join(', ');
        throw new UsageError(
          `There is no completion for ${shell}, only for ${allowed}.`,
          `${shell} の補完はありません。あるのは ${allowed} です。`,
          nearestWord(shell, SHELLS),
        );
      }
      terminal.out(script);
      return EXIT.done;
    },
  });
