// Draws the pictures of the pages: share.png for shared links (the seal and the name), and the icon in the sizes that
// phones ask for. Run it only when these change; the glyphs come from this machine's fonts.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { launchChromium } from '../test/system/explorer-page.ts';

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
  <rect width="1200" height="630" fill="#faf8f3"/>
  <g transform="translate(250 195) scale(7.5)">
    <rect width="32" height="32" rx="5" fill="#b03a24"/>
    <path d="M10 6.5h12v19H10zM10 12.8h12M10 19.2h12" fill="none" stroke="#fffaf0" stroke-width="2.4"
      stroke-linejoin="round"/>
  </g>
  <text x="575" y="335" font-family="'IPAMincho', 'Noto Serif CJK JP', serif" font-size="190" fill="#1d1b18">目録</text>
  <text x="585" y="430" font-family="'Source Serif 4', 'Liberation Serif', serif" font-size="76" fill="#5d574e"
    letter-spacing="4">mokuroku</text>
</svg>`;

const folder = path.join(import.meta.dirname, '../packages/mokuroku/src/explorer');
const icon = readFileSync(path.join(folder, 'icon.svg'), 'utf8');
/** Pixels: iOS, and the two that Android demands of a manifest. */
const ICON_SIZES = [180, 192, 512];

const browser = await launchChromium();
async function draw(svg: string, width: number, height: number, name: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${svg}`);
  await page.screenshot({ path: path.join(folder, name), omitBackground: true });
  await page.close();
}
try {
  await draw(PICTURE, 1200, 630, 'share.png');
  // Without rounded corners: each phone has its own.
  for (const size of ICON_SIZES) await draw(icon.replace(' rx="5"', ''), size, size, `icon-${size}.png`);
} finally {
  await browser.close();
}
