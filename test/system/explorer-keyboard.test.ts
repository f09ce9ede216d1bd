import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { focusedText, waitForStillness } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const explored = explore();
/** Records the focused element, and whether it is visible with a focus ring; false if there is none or a former one. */
const RECORD = `(() => {
  globalThis.reached = new Set();
  globalThis.unseen = [];
  const hasRing = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  };
  const record = () => {
    const target = document.activeElement;
    if (target === document.body || reached.has(target)) return false;
    reached.add(target);
    // Radio buttons and files are drawn by the element beside or around them.
    const drawn = [target, target.nextElementSibling, target.closest('label')].filter(Boolean);
    const { bottom, top, right, left } = (target.closest('label') ?? target).getBoundingClientRect();
    const isInWindow = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    if (!isInWindow || !drawn.some(hasRing)) unseen.push(target.outerHTML.slice(0, 120));
    return true;
  };
  // After a frame, in which the page scrolls to the element.
  globalThis.recordFocus = () => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(record()))));
})()`;

/** The actions that Tab has not reached. Of radio buttons of one name, one is enough: the arrow keys select the others. */
const UNREACHED = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((each) => !each.disabled && each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => {
    if (each.type !== 'radio') return !reached.has(each);
    return ![...reached].some(({ type, name }) => type === 'radio' && name === each.name);
  })
  .map((each) => each.outerHTML.slice(0, 120))`;

/** Presses Tab from the first link until the focus reaches nothing new: at the end of the page, or in a trap. */
async function tabThrough(page: Page): Promise<void> {
  await page.evaluate(RECORD);
  await page.locator('.skip').focus();
  while (await page.evaluate<boolean>('recordFocus()')) await page.keyboard.press('Tab');
}

/** These have hundreds of equal links; a filtered ranking and the overview of the other service have all kinds. */
const LONG = new Set(['ranking', 'reference']);

it.each(['catalogue', 'registration'] as const)(
  'every action of every view of the %s is reached by Tab, with a visible focus and without a trap',
  async (service) => {
    const { page } = await explored.open(undefined, { language: 'en' }, service);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const { name, address } of explored.views.filter(
      (view) => view.service === service && !LONG.has(view.name),
    )) {
      await page.goto(address);
      await waitForStillness(page);
      await tabThrough(page);
      const result = {
        name,
        unreached: await page.evaluate<string[]>(UNREACHED),
        unseen: await page.evaluate<string[]>('unseen'),
      };
      expect(result).toEqual({ name, unreached: [], unseen: [] });
    }
  },
);

it.each([
  ['the menu of forms', '/', '.save-menu summary', '.save-menu a'],
  ['the calls', '/', '.api-button', '#api-calls a'],
  ['the filters of a narrow search', '/', '.conditions-toggle', '#conditions select'],
  ['the filters of a narrow ranking', '/?ranking=daily', '.narrowing-toggle', '#narrowing a'],
])(
  'Escape in %s closes them, and the focus returns to what opened them',
  async (_, address, opener, inside) => {
    const { page } = await explored.open(address, { language: 'en', width: 360 });
    await waitForStillness(page);
    for (const selector of [opener, inside]) {
      await page.locator(opener).press('Enter');
      await page.locator(inside).first().waitFor();
      await page.locator(selector).first().press('Escape');
      await page.locator(inside).first().waitFor({ state: 'hidden' });
      expect(await page.evaluate(`document.activeElement.matches('${opener}')`)).toBe(true);
    }
  },
);

it('the focus continues at the place that was chosen in the finder', async () => {
  const { page } = await explored.open('/docs', { language: 'en' });
  await waitForStillness(page);
  await page.locator('.finder-open').press('Enter');
  await page.keyboard.press('Escape');
  expect(await page.evaluate('document.activeElement.matches(".finder-open")')).toBe(true);
  // The second time the address has the place already.
  for (const _ of [1, 2]) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('cors');
    await page.locator('.finder li').first().waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const id = new URL(page.url()).hash.slice(1);
    await expect.poll(() => page.evaluate(`document.activeElement.closest('[id]').id`)).toBe(id);
  }
});

/** Presses Enter on each element in turn; each is there once the one before has acted. */
async function pressAll(page: Page, selectors: readonly string[]): Promise<void> {
  for (const selector of selectors) await page.locator(selector).first().press('Enter');
}

it.each([
  ['clearing the comparison', 'catalogue', '/', ['.compare-button', '.tray button']],
  [
    'emptying the shelf',
    'catalogue',
    '/',
    ['.follow-button', '.places a[href*=shelf]', '.shelf-rows button'],
  ],
  ['opening one of many domains', 'registration', '/?names=example.com,example.jp', ['.many th a']],
  ['clearing the look-ups', 'registration', '/?domain=example.com', ['.brand', '.recent button']],
] as const)(
  '%s removes the focused control, and the heading has the focus',
  async (_, service, address, keys) => {
    const { page } = await explored.open(address, { language: 'en' }, service);
    await pressAll(page, keys);
    await page.locator(keys.at(-1)!).first().waitFor({ state: 'detached' });
    await waitForStillness(page);
    await expect.poll(() => page.evaluate('document.activeElement.matches("main h1")')).toBe(true);
  },
);

it.each([
  ['Newest', 'catalogue', '/?ranking=daily&date=2026-01-01', 320],
  ['Newest', 'catalogue', '/?ranking=daily&date=2026-01-01', 1440],
  ['Follow all', 'registration', '/?names=example.com,example.jp', 1440],
] as const)(
  'the focus stays on the control "%s", which has nothing more to do (%s, %s, %d px)',
  async (name, service, address, width) => {
    const { page } = await explored.open(address, { language: 'en', width }, service);
    const control = page.getByRole('button', { name });
    await control.press('Enter');
    await expect.poll(() => control.isDisabled()).toBe(true);
    await waitForStillness(page);
    expect(await focusedText(page)).toBe(name);
  },
);

it.each([
  ['the chosen novels', '.rows .compare-button', '.rows a.main'],
  ['the button below the filters', '.conditions-toggle', '.conditions select'],
] as const)('nothing that has the focus is behind %s', async (_, opener, first) => {
  const { page } = await explored.open('/', { language: 'en', width: 320 });
  await page.locator(opener).first().click();
  await page.locator(first).first().focus();
  for (let times = 0; times < 20; times++) {
    await page.keyboard.press('Tab');
    const hidden = await page.evaluate(`(() => {
      const { activeElement: focused } = document;
      const { left, top, width, height } = focused.getBoundingClientRect();
      const above = document.elementFromPoint(left + width / 2, top + height / 2);
      const part = focused.closest('label') ?? focused;
      return part.contains(above) || above?.contains(part) ? null : focused.outerHTML;
    })()`);
    expect(hidden).toBeNull();
  }
});

it('a menu closes when the focus leaves it', async () => {
  const { page } = await explored.open('/?ranking=daily', { language: 'en' });
  const menu = page.locator('.save-menu');
  await menu.locator('summary').press('Enter');
  await menu.getByRole('link', { name: 'Open JSON' }).focus();
  expect(await menu.getAttribute('open')).not.toBeNull();
  await page.keyboard.press('Tab');
  await expect.poll(() => menu.getAttribute('open')).toBeNull();
});
