import type { ListedCommand } from './command.ts';

/** Every command in the order of the help. The code of a command is loaded when it runs or lists its options. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  novels: {
    summary: 'Search novels by words, genre, author or length.',
    load: async () => (await import('./novels.ts')).novelsCommand,
  },
  novel: {
    summary: 'Show one novel.',
    load: async () => (await import('./novel.ts')).novelCommand,
  },
  ranking: {
    summary: 'Show a ranking with its novels.',
    load: async () => (await import('./ranking.ts')).rankingCommand,
  },
  history: {
    summary: "Draw a novel's ranks over time.",
    load: async () => (await import('./history.ts')).historyCommand,
  },
  changes: {
    summary: 'Print what has happened to novels, from cursor to cursor (of a local catalogue).',
    load: async () => (await import('./changes.ts')).changesCommand,
  },
  users: {
    summary: 'Search authors and readers by name.',
    load: async () => (await import('./users.ts')).usersCommand,
  },
  user: {
    summary: 'Show one author or reader.',
    load: async () => (await import('./users.ts')).userCommand,
  },
  whois: {
    summary: 'Look up who registered domain names, and until when.',
    load: async () => (await import('./whois.ts')).whoisCommand,
  },
  serve: {
    summary: 'Run both services, on the embedded sample or (--live) on the live upstreams.',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  doctor: {
    summary: 'Check this machine, its settings and (--live) the live upstreams, and say what to do.',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  mcp: {
    summary: 'Offer both services as MCP tools for an agent, on standard input and output.',
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
  harvest: {
    summary: "Fetch the upstream's whole catalogue into a folder for `serve --catalogue`, within its limits.",
    load: async () => (await import('./harvest.ts')).harvestCommand,
  },
  'narou-server': {
    summary: "Run a server with the upstream's protocol and invented data, for tests.",
    load: async () => (await import('./narou-server.ts')).narouServerCommand,
  },
  completion: {
    summary: 'Print the completion script of a shell.',
    load: async () => (await import('./completion.ts')).createCompletionCommand(COMMANDS),
  },
};
