import { UsageError, defineCommand } from './command.ts';
import type { Command } from './command.ts';
import type { Completable } from './completable.ts';
import { bashScript } from './completion-bash.ts';
import { fishScript } from './completion-fish.ts';
import { zshScript } from './completion-zsh.ts';
import { EXIT } from './exit-codes.ts';
import { didYouMean } from './nearest.ts';

const SCRIPTS: Readonly<Record<string, (commands: readonly Completable[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The first sentence, which is all a menu has room for. */
const firstSentence = (text: string): string => (text.split(/(?<=[.:])\s/, 1)[0] ?? '').replace(/[.:]$/, '');

function describe(command: Command, summary: string): Completable {
  const values = command.values ?? {};
  const args = Object.entries(command.args);
  const [word] = args.find(([, { type }]) => type === 'positional') ?? [];
  const options = args
    .filter(([, { type }]) => type !== 'positional')
    .map(([name, arg]) => ({
      name,
      description: firstSentence(arg.description ?? ''),
      takesValue: arg.type !== 'boolean',
      values: values[name] ?? [],
    }));
  const help = { name: 'help', description: 'Options and examples', takesValue: false, values: [] };
  return {
    name: command.name,
    summary: firstSentence(summary),
    options: [...options, help],
    words: values[word ?? ''] ?? [],
  };
}

type LoadableCommands = Readonly<Record<string, { summary: string; load: () => Promise<Command> }>>;

/** Knows the commands that it stands among. */
export const createCompletionCommand = (known: LoadableCommands): Command =>
  defineCommand({
    name: 'completion',
    summary: 'Print the completion script of bash, zsh or fish.',
    args: {
      shell: {
        type: 'positional',
        required: true,
        description: `One of ${Object.keys(SCRIPTS).join(', ')}.`,
      },
    },
    values: { shell: Object.keys(SCRIPTS) },
    examples: [
      'source <(mokuroku completion bash)',
      'mokuroku completion zsh > "${fpath[1]}/_mokuroku"',
      'mokuroku completion fish > ~/.config/fish/completions/mokuroku.fish',
    ],
    run: async ({ shell }, terminal) => {
      const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
      if (!script) {
        const shells = Object.keys(SCRIPTS);
        throw new UsageError(
          `There is no completion for ${shell}, only for ${shells.join(', ')}.${didYouMean(shell, shells)}`,
        );
      }
      const commands = await Promise.all(
        Object.values(known).map(async ({ summary, load }) => describe(await load(), summary)),
      );
      terminal.out(script(commands));
      return EXIT.done;
    },
  });
