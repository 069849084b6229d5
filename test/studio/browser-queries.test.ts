/** Queries in the studio, in a browser: their list, one of them, and its documents. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reason, withoutBrowser } from '../chromium.js';
import { type OpenStudio, openTestStudio } from './open.js';
import { openPage, type StudioPage } from './page.js';

const two = 'model=run%2Fruns%2Fa&model=run%2Fruns%2Fb';

describe.skipIf(withoutBrowser)(`queries of the studio in a browser${reason}`, () => {
  let open: OpenStudio;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let show: StudioPage['show'];
  let hash: StudioPage['hash'];

  beforeAll(async () => {
    open = await openTestStudio({ commands: ['train'], start: async () => undefined });
    ({ browser, page, complaints, show, hash } = await openPage(open));
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await open?.studio.close();
  });

  it('has the order of the list of queries in the address, and comes back to it', async () => {
    await show(`#/queries?data=data.txt&${two}`, /From a to b/);
    const ids = () => page.locator('table').first().locator('tbody td a').allTextContents();
    const given = await ids();
    await page.locator('table').first().getByRole('button', { name: 'query', exact: true }).click();
    const sorted = [...given].sort((x, y) => Number(x) - Number(y));
    expect(await ids()).toEqual(sorted);
    expect(new URLSearchParams((await hash()).split('?')[1]).getAll('sort')).toEqual([
      expect.stringMatching(/\.up\.query$/),
    ]);
    await page.reload();
    await page.locator('.verdict', { hasText: /^From a to b/ }).waitFor();
    expect(await ids()).toEqual(sorted);
    // Another measure is another list, in the same order.
    await page.getByLabel('Measure').fill('ap');
    await page.keyboard.press('Enter');
    await page.locator('.verdict', { hasText: /^From a to b, ap / }).waitFor();
    expect(await ids()).toEqual(sorted);
    await page.locator('table').first().locator('tbody td a').nth(3).click();
    const query = (id: string | undefined) => page.locator('.verdict', { hasText: `Query ${id},` }).waitFor();
    await query(sorted[3]);
    // The next and the one before are those of the list, also to whoever is given the address.
    await page.keyboard.press('j');
    await query(sorted[4]);
    await page.reload();
    await query(sorted[4]);
    await page.keyboard.press('k');
    await query(sorted[3]);
    await page.locator('td a[href^="#/document"]').first().click();
    await page.getByRole('link', { name: `Query ${sorted[3]}` }).click();
    await query(sorted[3]);
    await page.keyboard.press('k');
    await query(sorted[2]);
    await page.getByRole('link', { name: 'All queries' }).click();
    await page.locator('.verdict', { hasText: /^From a to b/ }).waitFor();
    expect(await ids()).toEqual(sorted);
    expect(complaints).toEqual([]);
  });

  it('follows the order of the list as it is now, when one goes back, sorts and goes forward', async () => {
    await show(`#/queries?data=data.txt&${two}`, /From a to b/);
    const head = page.locator('table').first().getByRole('button', { name: 'query', exact: true });
    const list = () => page.locator('.verdict', { hasText: /^From a to b/ }).waitFor();
    const query = (id: string) => page.locator('.verdict', { hasText: `Query ${id},` }).waitFor();
    await head.click();
    await page.locator('table').first().locator('tbody td a', { hasText: /^7$/ }).click();
    await query('7');
    await page.locator('a[aria-keyshortcuts="j"]', { hasText: 'Next: 8' }).waitFor();
    await page.goBack();
    await list();
    await head.click();
    await page.goForward();
    await query('7');
    await page.locator('a[aria-keyshortcuts="j"]', { hasText: 'Next: 6' }).waitFor();
    expect(await hash()).toContain('.down.query');
    // An address that was given says its own order.
    await page.goBack();
    await list();
    await show(`#/query/data.txt/7?${two}&sort=Every+query.up.query`, /^Query 7,/);
    await page.locator('a[aria-keyshortcuts="j"]', { hasText: 'Next: 8' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('opens a query, and a document of it, by the keyboard', async () => {
    await show(`#/queries?data=data.txt&${two}`, /From a to b/);
    await page.keyboard.press('/');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await page.locator('.verdict', { hasText: /^Query 1,/ }).waitFor();
    const next = page.locator('a[aria-keyshortcuts="j"]');
    const other = (await next.textContent())!.replace('Next: ', '');
    await page.keyboard.press('j');
    await page.locator('.verdict', { hasText: new RegExp(`^Query ${other},`) }).waitFor();
    await page.keyboard.press('k');
    await page.locator('.verdict', { hasText: /^Query 1,/ }).waitFor();
    // Where documents are on the web goes along, to the list and back.
    const away = 'https://shop.example/{document}';
    await page.getByLabel('Address of a document').fill(away);
    await page.keyboard.press('Enter');
    await page.locator('td a[href="https://shop.example/2"]').first().waitFor();
    await page.getByRole('link', { name: 'All queries' }).click();
    await page.locator('.verdict', { hasText: /^From a to b/ }).waitFor();
    await page.locator('td a', { hasText: /^1$/ }).first().click();
    await page.locator('td a[href="https://shop.example/2"]').first().waitFor();
    expect(await page.locator('td', { hasText: 'The <b>first</b> one' }).count()).toBe(1);
    await page.locator('td a[href^="#/document"]', { hasText: /^2$/ }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.verdict', { hasText: /^Document 2 of query 1/ }).waitFor();
    await page.getByLabel('Against').selectOption('5');
    await page.locator('.verdict', { hasText: /a scores 2/ }).waitFor();
    expect(complaints).toEqual([]);
  });
});
