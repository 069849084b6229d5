/** Report pages in a browser. */
import type { Browser, Page } from 'playwright-core';

export { openBrowser, reason, withoutBrowser } from '../../chromium.js';

export interface OpenPage {
  readonly page: Page;
  /** Messages of the console, failures of scripts, and requests other than for the page itself. */
  readonly complaints: readonly string[];
}

/** Opens a page and waits until its charts are drawn, for ever where `timeout` is 0. */
export async function openPage(browser: Browser, address: string, timeout = 30_000): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(timeout);
  const complaints: string[] = [];
  page.on('console', message => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', error => complaints.push(`failure: ${error.message}`));
  page.on('request', request => {
    const url = request.url();
    if (url !== address && !/^(data|blob):/.test(url)) complaints.push(`request: ${url}`);
  });
  await page.goto(address);
  await drawn(page);
  return { page, complaints };
}

/** Every chart is drawn, as wide as there is room for it. */
export async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const stages = [...document.querySelectorAll('.stage')];
    const fits = (stage: Element) =>
      stage.querySelector(':scope > svg:first-child')?.getAttribute('width') === String(Math.floor(stage.clientWidth));
    return document.querySelector('footer') !== null && stages.every(fits);
  });
}
