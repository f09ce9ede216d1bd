// Screenshots of every view of both pages, on the sample: both languages, both themes, three widths. They go to
// .cache/screenshots/ (ignored by git). Arguments select: `ja light 360 ranking`.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { launchChromium, namedViews, openPage, waitForStillness } from '../test/system/explorer-page.ts';
import { startServe } from '../test/system/running-service.ts';

const folder = path.join(import.meta.dirname, '../.cache/screenshots');
const wanted = process.argv.slice(2);
const LANGUAGES = ['ja', 'en'] as const;
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 768, 1440] as const;

/** Off-screen content is drawn lazily; a picture of the whole page needs it at once. */
const DRAW_ALL = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important; }');
  document.adoptedStyleSheets = [sheet];
}`;

/** Of each kind, the values named in the arguments, or all. */
const chosen = <Thing>(things: readonly Thing[], nameOf: (thing: Thing) => string): readonly Thing[] => {
  const some = things.filter((thing) => wanted.includes(nameOf(thing)));
  return some.length > 0 ? some : things;
};

const services = await startServe({ RATE_LIMIT: '0', LOG_LEVEL: 'silent' });
const browser = await launchChromium();
try {
  mkdirSync(folder, { recursive: true });
  const views = chosen(await namedViews(services), ({ name }) => name);
  for (const language of chosen(LANGUAGES, String)) {
    for (const scheme of chosen(SCHEMES, String)) {
      for (const width of chosen(WIDTHS, String)) {
        for (const { name, service, address } of views) {
          const { page, context } = await openPage(browser, services[service], { language, scheme, width });
          await page.goto(address);
          await waitForStillness(page);
          await page.evaluate(DRAW_ALL);
          const file = path.join(folder, `${name}-${language}-${scheme}-${width}.png`);
          // The start of a ranking of 300 is enough.
          const height = Math.min(2600, await page.evaluate<number>('document.documentElement.scrollHeight'));
          await page.screenshot({ path: file, fullPage: true, clip: { x: 0, y: 0, width, height } });
          await context.close();
          process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
        }
      }
    }
  }
} finally {
  await browser.close();
  await services.end('SIGTERM');
}
