/** A page of the studio in a browser, for tests: what it complains of is kept. */
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../chromium.js';
import type { OpenStudio } from './open.js';

export interface StudioPage {
  readonly browser: Browser;
  readonly page: Page;
  /** Errors, dialogs, and requests off the machine. */
  readonly complaints: string[];
  /** Goes to a view, and waits until its verdict stands there. */
  show(hash: string, verdict: RegExp): Promise<void>;
  /** The address as it is now: Playwright hears of it a little later. */
  hash(): Promise<string>;
  /** What keys and answers lead to has happened once the page has asked for something after them, and was drawn. */
  handled(): Promise<void>;
}

export async function openPage(open: Pick<OpenStudio, 'studio' | 'base'>): Promise<StudioPage> {
  const browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 }, reducedMotion: 'reduce' });
  const complaints: string[] = [];
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  page.on('dialog', dialog => complaints.push(dialog.message()));
  page.on('request', asked => {
    if (!asked.url().startsWith(open.base) && !/^(data|blob):/.test(asked.url())) complaints.push(asked.url());
  });
  await page.goto(open.studio.url);
  return {
    browser,
    page,
    complaints,
    async show(hash, verdict) {
      await page.goto(`${open.base}/${hash}`);
      await page.locator('.verdict', { hasText: verdict }).first().waitFor();
    },
    hash: () => page.evaluate(() => location.hash),
    handled: () =>
      page.evaluate(async () => {
        await (await fetch('/api/overview')).text();
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
      }),
  };
}
