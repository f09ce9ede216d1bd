import type { ListedCommand } from './command.ts';

/** Every command in the order of the help. The code of one is loaded when it is run, or asked what it takes. */
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
  mcp: {
    summary: 'Offer both services as MCP tools to an agent, on standard input and output.',
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
  harvest: {
    summary: 'Fetch the whole catalogue of the upstream into a folder, politely, to be served from there.',
    load: async () => (await import('./harvest.ts')).harvestCommand,
  },
  'narou-server': {
    summary:
      "Run a server that speaks the upstream's own protocol over invented data, for tests of its clients.",
    load: async () => (await import('./narou-server.ts')).narouServerCommand,
  },
  completion: {
    summary: 'Print the completion script of a shell.',
    load: async () => (await import('./completion.ts')).createCompletionCommand(COMMANDS),
  },
};
