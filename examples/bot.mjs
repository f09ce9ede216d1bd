// Posts each new episode to a webhook, and continues where it stopped: node examples/bot.mjs
import fs from 'node:fs';
import { createCatalogueClient } from 'mokuroku/client';

const { MOKUROKU_CATALOGUE_URL: baseUrl, WEBHOOK_URL = '', CURSOR_FILE = 'bot.cursor' } = process.env;
const client = createCatalogueClient({ baseUrl, waitWhenLimited: true });
const since = fs.existsSync(CURSOR_FILE) ? fs.readFileSync(CURSOR_FILE, 'utf8') : 'now';
for await (const event of client.changesSince({ since, kind: ['new', 'episode'], everySeconds: 30 })) {
  const content = `${event.title} #${event.episode ?? 1}`;
  const headers = { 'Content-Type': 'application/json' };
  const { status, ok } = await fetch(WEBHOOK_URL, {
    method: 'POST',
    headers,
    body: JSON.stringify({ content }),
  });
  if (!ok) throw new Error(`the webhook responded with ${status}`); // Started again, it repeats this event.
  fs.writeFileSync(CURSOR_FILE, event.cursor);
}
