/** A browser for tests of pages: Debian's chromium, without network. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium';

export const withoutBrowser = !existsSync(EXECUTABLE);
/** For the titles of tests that are skipped. */
export const reason = withoutBrowser ? ` (skipped: there is no ${EXECUTABLE})` : '';

export function openBrowser(): Promise<Browser> {
  const quiet = ['quic', 'background-networking', 'component-update', 'sync', 'gpu'].map(name => `--disable-${name}`);
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--no-first-run', ...quiet] });
}
