import type { Command } from './command.ts';

/** Every command in the order of the help; the code of one is loaded when it is run. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  novels: async () => (await import('./novels.ts')).novelsCommand,
  novel: async () => (await import('./novel.ts')).novelCommand,
  ranking: async () => (await import('./ranking.ts')).rankingCommand,
  history: async () => (await import('./history.ts')).historyCommand,
  users: async () => (await import('./users.ts')).usersCommand,
  user: async () => (await import('./user.ts')).userCommand,
  whois: async () => (await import('./whois.ts')).whoisCommand,
  serve: async () => (await import('./serve.ts')).serveCommand,
  harvest: async () => (await import('./harvest.ts')).harvestCommand,
  'narou-server': async () => (await import('./narou-server.ts')).narouServerCommand,
  completion: async () => (await import('./completion.ts')).createCompletionCommand(COMMANDS),
};
