import { describe, expect, it } from 'vitest';
import { waitForStillness } from './explorer-page.ts';
import { explore } from './explorer-service.ts';

const { open } = explore();

describe('works for adults', () => {
  it('are requested only after the age confirmation, and the confirmation is not stored', async () => {
    const { page, calls, context } = await open('/?r18=1&word=%E5%A4%9C', { language: 'en' });
    expect(calls).toEqual([]);
    await page.getByRole('button', { name: 'I am 18 or older: continue' }).press('Enter');
    await waitForStillness(page);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatch(/^\/v1\/r18\/novels\?/);
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
    ).toBe('[{},{},""]');
    expect(await context.cookies()).toEqual([]);
    await page.getByRole('link', { name: 'Rankings' }).click();
    await page.locator('.board').waitFor();
    await page.goBack();
    await page.locator('.gate').waitFor();
    await page.reload();
    await page.locator('.gate').waitFor();
  });
});

describe('a service with ADULT=off', () => {
  const adultOff = explore({ RATE_LIMIT: '0', ADULT: 'off' });

  it('has no view of adult novels and no link to one', async () => {
    const { page, calls } = await adultOff.open('/?r18=1&word=%E5%A4%9C', { language: 'en' });
    expect(await page.locator('.gate, a[href*="r18"]').count()).toBe(0);
    expect(calls.filter((call) => call.startsWith('/v1/'))).toEqual([
      expect.stringMatching(/^\/v1\/novels\?/),
    ]);
  });
});
