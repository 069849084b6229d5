/** A page of the studio in a browser, for tests: what it complains of is kept. */
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../chromium.js';
import type { OpenStudio } from './open.js';

export interface StudioPage {
  readonly browser: Browser;
  readonly page: Page;
  /** Errors, dialogs, and requests off the machine. */
  readonly complaints: string[];
  /** Goes to a view, and waits until its own verdict stands there: the one before may say the same. */
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
      if (page.url().startsWith(`${open.base}/#`)) await page.evaluate(told, hash);
      else await page.goto(`${open.base}/${hash}`);
      await page.locator('main:not([aria-busy]) .verdict', { hasText: verdict }).first().waitFor();
    },
    hash: () => page.evaluate(() => location.hash),
    handled: () =>
      page.evaluate(async () => {
        await (await fetch('/api/overview')).text();
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
      }),
  };
}

/** In the page: goes to an address, and waits until the studio was told of it. */
function told(address: string): Promise<void> {
  return new Promise(resolve => {
    const { hash } = location;
    window.addEventListener('hashchange', () => resolve(), { once: true });
    location.hash = address;
    if (location.hash === hash) resolve();
  });
}

/** The picture of a chart; what the pointer marks on it is an element of its own, and stands there before it. */
export const PICTURE = '.stage > svg:not(.marks)';
