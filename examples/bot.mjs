// Posts each new episode to a webhook, and continues where it stopped: node examples/bot.mjs
import fs from 'node:fs';
import { MokurokuError, createCatalogueClient, deliver } from 'mokuroku/client';

const { MOKUROKU_CATALOGUE_URL: baseUrl, WEBHOOK_URL, CURSOR_FILE = 'bot.cursor' } = process.env;
if (!WEBHOOK_URL) {
  console.error('Set WEBHOOK_URL: WEBHOOK_URL=https://chat.example/hook node examples/bot.mjs');
  process.exit(2);
}
const client = createCatalogueClient({ baseUrl, waitWhenLimited: { maxSeconds: 3600 } });
const onRetry = (why, seconds) => console.error(`Not posted (${why}); retrying in ${seconds} s.`);

let since = fs.existsSync(CURSOR_FILE) ? fs.readFileSync(CURSOR_FILE, 'utf8') : undefined;
for (;;) {
  try {
    since ??= (await client.changes({ since: 'now' })).meta.next;
    console.error('Waiting for episodes; Ctrl-C ends.');
    for await (const event of client.changesSince({ since, kind: ['new', 'episode'], everySeconds: 30 })) {
      await deliver(WEBHOOK_URL, { content: `${event.title} #${event.episode ?? 1}` }, { onRetry });
      since = event.cursor;
      fs.writeFileSync(CURSOR_FILE, since);
    }
  } catch (error) {
    if (!(error instanceof MokurokuError) || !error.retryable) throw error;
    const seconds = Math.min(Math.max(error.retryAfterSeconds ?? 0, 30), 3600);
    console.error(`${error.message} Retrying in ${seconds} s.`);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
