import { defineCommand, flag } from './command.ts';

export const doctorCommand = defineCommand({
  args: {
    live: flag(
      'Also query the novel site and the registries, one request a second (three minutes).',
      '小説サイトとレジストリにも、1 秒に 1 回問い合わせます（3 分）。',
    ),
    json: flag(
      'Print the report as JSON (docs/doctor-report.schema.json).',
      '報告を JSON で書きます（docs/doctor-report.schema.json）。',
    ),
  },
  examples: [
    'mokuroku doctor',
    'NAROU_CONTACT=me@example.org mokuroku doctor --live',
    'mokuroku doctor --live --json > report.json',
  ],
  run: async ({ live: isLive = false, json: isJson = false }, terminal) => {
    // Loaded on use, so that help and completion start quickly.
    const { runDoctor } = await import('./run-doctor.ts');
    return runDoctor({ isLive, isJson }, terminal);
  },
});
