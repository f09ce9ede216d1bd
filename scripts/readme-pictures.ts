// The picture of the README: the newest weekly ranking of the sample, in both languages, as docs/pictures/*.webp. The
// nightly run draws it on a new Debian machine.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { launchChromium, openPage, waitForStillness } from '../test/system/explorer-page.ts';
import { startServe } from '../test/system/running-service.ts';

const folder = path.join(import.meta.dirname, '../docs/pictures');
const SIZE = { width: 1200, height: 760 };

/** The part of the view that arrives last. */
const LAST_PART = '.movement .hidden';
const FONT = 'IPAGothic';

const chosen = execFileSync('fc-match', ['-f', '%{family}', 'sans-serif:lang=ja'], { encoding: 'utf8' });
if (!chosen.includes(FONT))
  throw new Error(`The pictures need the font ${FONT} (Debian: fonts-ipafont-gothic), not ${chosen}.`);

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
  for (const language of ['ja', 'en'] as const) {
    const { page, context } = await openPage(browser, services.catalogue, { language });
    await page.setViewportSize(SIZE);
    await page.goto('/?ranking=weekly');
    await waitForStillness(page);
    await page.locator(LAST_PART).first().waitFor({ state: 'attached' });
    const png = (await page.screenshot()).toString('base64');
    await context.close();
    const file = path.join(folder, `ranking-${language}.webp`);
    writeFileSync(file, Buffer.from(await toWebp(png), 'base64'));
    process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
  }
} finally {
  await browser.close();
  await services.end('SIGTERM');
}
