// Draws src/explorer/share.png, the picture of shared links: the seal and the name. Run it only when these change;
// the glyphs come from this machine's fonts.
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

const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${PICTURE}`);
  await page.screenshot({ path: path.join(import.meta.dirname, '../src/explorer/share.png') });
} finally {
  await browser.close();
}
