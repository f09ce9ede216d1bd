// The pictures of the README: the newest weekly ranking and a domain of the sample, in both languages, as
// docs/pictures/*.webp.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { launchChromium, openPage, waitForStillness } from '../test/system/explorer-page.ts';
import { startServe } from '../test/system/running-service.ts';

const folder = path.join(import.meta.dirname, '../docs/pictures');
const SIZE = { width: 1200, height: 760 };

/** Each with a view's part that arrives last. */
const PICTURES = [
  { name: 'ranking', service: 'catalogue', address: '/?ranking=weekly', last: '.movement .hidden' },
  { name: 'domain', service: 'registration', address: '/?domain=example.com', last: '.registration' },
] as const;

const services = await startServe({ RATE_LIMIT: '0', LOG_LEVEL: 'silent' });
const browser = await launchChromium();
// Chromium takes no screenshot as WebP, but a canvas of it is saved as one.
const canvas = await browser.newPage();
const toWebp = (png: string) =>
  canvas.evaluate<string>(`(async () => {
    const picture = new Image();
    picture.src = 'data:image/png;base64,${png}';
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext('2d').drawImage(picture, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.6 });
    return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));
  })()`);
try {
  for (const { name, service, address, last } of PICTURES) {
    for (const language of ['ja', 'en'] as const) {
      const { page, context } = await openPage(browser, services[service], { language });
      await page.setViewportSize(SIZE);
      await page.goto(address);
      await waitForStillness(page);
      await page.locator(last).first().waitFor({ state: 'attached' });
      const png = (await page.screenshot()).toString('base64');
      await context.close();
      const file = path.join(folder, `${name}-${language}.webp`);
      writeFileSync(file, Buffer.from(await toWebp(png), 'base64'));
      process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
    }
  }
} finally {
  await browser.close();
  await services.end('SIGTERM');
}
