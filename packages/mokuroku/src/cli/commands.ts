import type { ListedCommand } from './command.ts';
import { text } from '@mokuroku/kit';

/** Every command in the order of the help. The code of a command is loaded when it runs or lists its options. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  novels: {
    summary: text(
      'Search novels by words, genre, author or length.',
      'キーワード、ジャンル、作者、文字数で小説を検索します。',
    ),
    load: async () => (await import('./novels.ts')).novelsCommand,
  },
  novel: {
    summary: text('Show one novel.', '小説を 1 つ表示します。'),
    load: async () => (await import('./novel.ts')).novelCommand,
  },
  ranking: {
    summary: text('Show a ranking with its novels.', 'ランキングとその作品を表示します。'),
    load: async () => (await import('./ranking.ts')).rankingCommand,
  },
  history: {
    summary: text("List a novel's ranks over time.", '小説の順位の推移を一覧にします。'),
    load: async () => (await import('./history.ts')).historyCommand,
  },
  changes: {
    summary: text(
      'Print what has happened to novels, from cursor to cursor (of a local catalogue).',
      '小説の変更をカーソルの続きから出力します（ローカルカタログのみ）。',
    ),
    load: async () => (await import('./changes.ts')).changesCommand,
  },
  users: {
    summary: text('Search authors and readers by name.', '名前で作者や読者を検索します。'),
    load: async () => (await import('./users.ts')).usersCommand,
  },
  user: {
    summary: text('Show one author or reader.', '作者または読者を 1 人表示します。'),
    load: async () => (await import('./users.ts')).userCommand,
  },
  whois: {
    summary: text(
      'Look up who registered domain names, and until when.',
      'ドメイン名の登録情報と有効期限を調べます。',
    ),
    load: async () => (await import('./whois.ts')).whoisCommand,
  },
  serve: {
    summary: text(
      'Run both services, on the embedded sample or (--live) on the live upstreams.',
      '2 つのサービスを、内蔵のサンプルまたは（--live）実際の取得元で起動します。',
    ),
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  mcp: {
    summary: text(
      'Offer both services as MCP tools for an agent, on standard input and output.',
      '2 つのサービスを、エージェント向けの MCP ツールとして標準入出力で提供します。',
    ),
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
  harvest: {
    summary: text(
      "Fetch the upstream's whole catalogue into a folder for `serve --catalogue`, within its limits.",
      '取得元のカタログ全体を、利用上限内でフォルダーに取得します（`serve --catalogue` 用）。',
    ),
    load: async () => (await import('./harvest.ts')).harvestCommand,
  },
};
