import type { Completable, CompletableOption } from './completable.ts';

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function optionLine(command: string, { name, description, takesValue, values }: CompletableOption): string {
  const value = !takesValue ? '' : values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : ' -x';
  return `complete -c mokuroku -n ${quoted(`__fish_seen_subcommand_from ${command}`)} -l ${name}${value} -d ${quoted(description)}`;
}

export function fishScript(commands: readonly Completable[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c mokuroku -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
    ...(command.words.length > 0
      ? [
          `complete -c mokuroku -n ${quoted(`__fish_seen_subcommand_from ${command.name}`)} -a ${quoted(command.words.join(' '))}`,
        ]
      : []),
    ...command.options.map((option) => optionLine(command.name, option)),
  ]);
  return `# fish completion of mokuroku\ncomplete -c mokuroku -f\n${lines.join('\n')}\n`;
}
