/** A browser for tests of pages, without network: Debian's chromium, or Chrome where it is usually installed. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const executable = PLACES.find(place => existsSync(place));

export const withoutBrowser = executable === undefined;
/** For the titles of tests that are skipped. */
export const reason = withoutBrowser ? ` (skipped: no Chromium or Chrome is installed)` : '';

export function openBrowser(): Promise<Browser> {
  const quiet = ['quic', 'background-networking', 'component-update', 'sync', 'gpu'].map(name => `--disable-${name}`);
  return chromium.launch({ executablePath: executable!, args: ['--no-sandbox', '--no-first-run', ...quiet] });
}
