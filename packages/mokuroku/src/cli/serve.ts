import { defineCommand, flag, option } from './command.ts';

export const serveCommand = defineCommand({
  args: {
    live: flag(
      'Query the live upstreams instead of the embedded sample.',
      '内蔵のサンプルではなく、実際の取得元に接続します。',
    ),
    catalogue: option(
      'DIR',
      'Serve novels and rankings from a local catalogue, made by `mokuroku harvest`.',
      '`mokuroku harvest` が作るローカルカタログから、小説とランキングを返します。',
    ),
    only: option(
      'NAME',
      'Run one service: catalogue or registration (default: SERVE_ONLY, or both).',
      '一方のサービス（catalogue か registration）だけを動かします（既定: SERVE_ONLY、なければ両方）。',
    ),
  },
  examples: [
    'mokuroku serve',
    'mokuroku serve --only registration --live',
    'mokuroku serve --catalogue /srv/novels',
    'CATALOGUE_PORT=8080 REGISTRATION_PORT=0 mokuroku serve --live',
  ],
  run: async (args, terminal) => {
    const live = { CATALOGUE_SOURCE: 'narou', REGISTRATION_SOURCE: 'live' };
    const environment = {
      ...terminal.environment,
      ...(args.live && live),
      ...(args.catalogue !== undefined && { CATALOGUE_SOURCE: 'local', CATALOGUE_DIR: args.catalogue }),
      ...(args.catalogue !== undefined && args.live && { CATALOGUE_FALLBACK: 'narou' }),
      ...(args.only !== undefined && { MOKUROKU_SERVE_ONLY: undefined, SERVE_ONLY: args.only }),
    };
    // Loaded on use, so that the help starts quickly.
    const { serve } = await import('./start-services.ts');
    return serve(environment, terminal);
  },
});
