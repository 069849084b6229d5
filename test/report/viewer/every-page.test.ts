/** Opens a page of every command from disk in a browser, and looks at it as a reader does. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGroup } from '#listwise/cli/command/group.js';
import { program } from '#listwise/cli/declarations/all.js';
import { analyses } from '#listwise/cli/declarations/analyses/all.js';
import { writeReport } from '#listwise/report/render/html.js';
import { faults } from '../../axe.js';
import { temporaryDirectory } from '../../temporary.js';
import { covered, pageNames, writePages } from '../command-pages.js';
import { everyKind } from '../every-kind.js';
import { drawn, type OpenPage, openBrowser, openPage, reason, withoutBrowser } from './browser.js';
import { faintTexts, nameless, savedByAll, sweep } from './looks.js';

const names = ['every kind', ...pageNames];

describe.skipIf(withoutBrowser)(`report pages in a browser${reason}`, () => {
  const directory = temporaryDirectory();
  const address = (name: string) => pathToFileURL(join(directory, `${name}.html`)).href;
  let browser: Browser;

  beforeAll(async () => {
    await writePages(directory);
    await writeReport(join(directory, 'every kind.html'), everyKind);
    browser = await openBrowser();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
  });

  it('looks at a page of every command and analysis that has one', async () => {
    const withPage = await Promise.all(
      program.found.members.map(async ({ name, load }) => {
        const found = await load();
        const command = isGroup(found) ? found.alone : found;
        return command !== undefined && 'report' in command.options ? [name] : [];
      }),
    );
    const names = analyses.members.map(({ name }) => name);
    expect([...covered].sort()).toEqual([...withPage.flat(), ...names].sort());
  });

  describe.each(names)('%s', name => {
    let { page, complaints } = {} as OpenPage;
    beforeAll(async () => {
      ({ page, complaints } = await openPage(browser, address(name)));
    });
    afterAll(() => page.close());

    it('draws every chart, without a complaint and without network', async () => {
      const charts = await page.$$eval('.stage > svg:first-child', found =>
        found.map(svg => ({
          marks: svg.querySelectorAll('path, rect, circle, line').length,
          broken: /NaN|undefined|Infinity/.test(svg.outerHTML.replaceAll(/<text[^>]*>[^<]*<\/text>/g, '')),
        })),
      );
      expect(charts.length).toBeGreaterThan(0);
      expect(charts.filter(({ marks, broken }) => marks < 3 || broken)).toEqual([]);
      await sweep(page);
      expect(complaints).toEqual([]);
    });

    it('has one sentence on top, and a name for everything that can be used', async () => {
      const verdict = await page.locator('.verdict').textContent();
      expect(verdict).toMatch(/\S\.$/);
      expect(verdict).not.toMatch(/NaN|undefined|Infinity|[\s(]-\d|\b1 [a-z]{4,}s\b/);
      const cells = await page.locator('td').allTextContents();
      expect(cells.filter(text => /[\s(]-\d/.test(text))).toEqual([]);
      expect(await nameless(page)).toEqual([]);
      // What is saved or read out is distinguished from all else on the page.
      const captions = await page.locator('figcaption').allTextContents();
      if (name !== 'every kind') expect(captions.filter((one, i) => captions.indexOf(one) !== i)).toEqual([]);
    });

    it('saves every chart as SVG, PNG and CSV, every table as CSV', async () => {
      const saved = await savedByAll(page);
      expect(saved.length).toBeGreaterThan(2);
      for (const { button, file, type, start, size } of saved) {
        const kind = button.slice(-3);
        expect([file.slice(-4), type.slice(0, 8)]).toEqual([
          ...{ SVG: ['.svg', 'image/sv'], PNG: ['.png', 'image/pn'], CSV: ['.csv', 'text/csv'] }[kind]!,
        ]);
        if (kind !== 'CSV') expect(start).toMatch(kind === 'SVG' ? /^<svg / : /PNG/);
        expect(size, button).toBeGreaterThan(kind === 'CSV' ? 5 : 500);
      }
      expect(complaints).toEqual([]);
    });

    it.each(['light', 'dark'] as const)('is readable in %s', async colorScheme => {
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction(name => document.documentElement.dataset.theme === name, colorScheme);
      expect(await faintTexts(page)).toEqual([]);
    });

    it('has nothing that axe finds wrong: light, and dark on a phone', async () => {
      for (const [colorScheme, width] of [
        ['light', 1100],
        ['dark', 390],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await drawn(page);
        expect(await faults(page), `${colorScheme}, ${width}`).toEqual([]);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1100, height: 900 });
      expect(complaints).toEqual([]);
    }, 300_000);

    it('fits on paper', async () => {
      await page.emulateMedia({ media: 'print' });
      // A4 with the margins that browsers leave.
      await page.setViewportSize({ width: 718, height: 1000 });
      await drawn(page);
      const wide = await page.$$eval('table, .stage > svg', found =>
        found.filter(one => one.getBoundingClientRect().right > 718).map(one => one.outerHTML.slice(0, 60)),
      );
      expect(wide).toEqual([]);
      await page.emulateMedia({ media: 'screen' });
    });

    it('fits a narrow screen', async () => {
      await page.setViewportSize({ width: 360, height: 700 });
      await drawn(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      // A picture must not be cut off either.
      const right = await page.$$eval('.stage > svg', found => found.map(svg => svg.getBoundingClientRect().right));
      expect(Math.max(...right)).toBeLessThanOrEqual(360);
      // Nor must what a table is about be off the screen.
      const verdicts = await page.$$eval('th', heads =>
        heads.flatMap(head => {
          const text = head.textContent!;
          const { left, right: end } = head.getBoundingClientRect();
          return /^(significant|drifted|optimum|status|holds|outcome)$/.test(text) ? [{ text, left, end }] : [];
        }),
      );
      expect(verdicts.filter(({ left, end }) => left < 0 || end > 360)).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });
});
