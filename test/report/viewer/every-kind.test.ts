/** A page with every kind of block in a browser: pointer, keys, orders, themes and paper. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Download } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeReport } from '#listwise/report/render/html.js';
import { temporaryDirectory } from '../../temporary.js';
import { charts, everyKind, longNames } from '../every-kind.js';
import { type OpenPage, openBrowser, openPage, reason, withoutBrowser } from './browser.js';

const kinds = Object.keys(charts) as (keyof typeof charts)[];

describe.skipIf(withoutBrowser)(`every kind of block in a browser${reason}`, () => {
  const directory = temporaryDirectory();
  const address = (name: string) => pathToFileURL(join(directory, `${name}.html`)).href;
  let browser: Browser;

  beforeAll(async () => {
    await writeReport(join(directory, 'every kind.html'), everyKind);
    browser = await openBrowser();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
  });

  describe('a page with every kind of block', () => {
    let { page, complaints } = {} as OpenPage;
    beforeAll(async () => {
      ({ page, complaints } = await openPage(browser, address('every kind')));
    });
    afterAll(() => page.close());
    const figureOf = (title: string) => page.locator('figure', { hasText: title }).first();

    describe.each(kinds)('the chart %s', kind => {
      const { title } = charts[kind];

      it('says the value under the pointer', async () => {
        const stage = figureOf(title).locator('.stage');
        await stage.hover();
        const tip = stage.locator('.tip');
        await tip.waitFor({ state: 'visible' });
        expect(await tip.textContent()).toMatch(/\d/);
        await page.mouse.move(0, 0);
        await tip.waitFor({ state: 'hidden' });
      });

      it('says its values with the arrow keys, aloud', async () => {
        const stage = figureOf(title).locator('.stage');
        const said: (string | null)[] = [];
        await stage.focus();
        for (const key of ['Home', 'ArrowRight', 'End', 'Home']) {
          await page.keyboard.press(key);
          said.push(await stage.locator('.spoken').textContent());
        }
        expect(new Set(said.slice(0, 3)).size).toBe(3);
        expect(said[3]).toBe(said[0]);
        expect(await stage.locator('.tip').isVisible()).toBe(true);
        await page.keyboard.press('Escape');
        expect(await stage.locator('.tip').isVisible()).toBe(false);
      });

      it('is saved as CSV, SVG and PNG, and is a table, too', async () => {
        const figure = figureOf(title);
        const saved = async (format: string) => {
          const download = page.waitForEvent('download');
          await figure.getByRole('button', { name: `as ${format}` }).click();
          return contentOf(await download);
        };
        const rows = (await saved('CSV')).toString().trim().split('\r\n');
        expect(rows.length).toBeGreaterThan(2);
        const svg = (await saved('SVG')).toString();
        expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
        expect(svg).toContain(title);
        expect((await saved('PNG')).subarray(1, 4).toString()).toBe('PNG');
        await figure.locator('summary').click();
        const all = figure.locator('details .more');
        await figure.locator('details table').waitFor();
        if (await all.isVisible()) await all.click();
        expect(await figure.locator('details tbody tr').count()).toBe(rows.length - 1);
        expect(complaints).toEqual([]);
      });
    });

    it('is walked through by the tabulator key, one control after the other', async () => {
      const controls = 'a[href], button:not([hidden]), summary, .stage, .scroll';
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      const all = await page.locator(controls).evaluateAll(found => found.filter(one => one.checkVisibility()).length);
      const reached = new Set<number>();
      // From the last control on the browser's own take the focus in between.
      for (let i = 0; i < all + 10; i++) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate(
          those => [...document.querySelectorAll(those)].indexOf(document.activeElement!),
          controls,
        );
        if (at >= 0) reached.add(at);
      }
      expect(reached.size).toBe(all);
    });

    it('shows names as they are, whatever they hold', async () => {
      expect(await page.locator('h1').textContent()).toBe(everyKind.title);
      expect(await page.locator('.verdict').textContent()).toBe(everyKind.verdict);
      expect(await page.locator('main b').filter({ hasText: 'long' }).count()).toBe(0);
    });

    it('sorts tables, missing values last, and shows long ones in full when asked', async () => {
      const figure = figureOf('Differences');
      const column = () =>
        figure
          .locator('tbody tr td:nth-child(2)')
          .evaluateAll(cells => cells.map(cell => cell.firstChild!.textContent));
      const head = figure.getByRole('button', { name: 'difference', exact: true });
      expect(await column()).toHaveLength(20);
      await figure.getByRole('button', { name: 'Show all 31 rows' }).click();
      const given = await column();
      expect(given).toHaveLength(31);
      const numbers = (texts: (string | null)[]) =>
        texts.slice(0, -1).map(text => Number(text!.replace('\u2212', '-')));
      await head.click();
      const down = await column();
      expect(down.at(-1)).toBe('–');
      expect(numbers(down)).toEqual(numbers(down).sort((a, b) => b - a));
      expect(await figure.locator('th[aria-sort="descending"]').count()).toBe(1);
      await head.click();
      const up = await column();
      expect(up.at(-1)).toBe('–');
      expect(numbers(up)).toEqual(numbers(up).sort((a, b) => a - b));
      await head.click();
      expect(await column()).toEqual(given);
    });

    it('draws the bars left out at first when asked', async () => {
      const figure = figureOf(charts.bars.title);
      const bars = () => figure.locator('[aria-label="bar"] > *').count();
      expect(await bars()).toBe(20);
      await figure.getByRole('button', { name: 'Show 12 more' }).click();
      expect(await bars()).toBe(32);
    });

    it('keeps ranks apart from the names beside them, and leaves out the middle of long names', async () => {
      const texts = await figureOf(charts.slopes.title).locator('.stage > svg:first-child text').allTextContents();
      expect(texts).toEqual(expect.arrayContaining(['#1', 'd1', '#30']));
      expect(texts.filter(text => /\d\s+d\d/.test(text))).toEqual([]);
      expect(texts.filter(text => /^a <.+….+ all$/.test(text))).not.toEqual([]);
    });

    it('writes names that are wider than their place in lines', async () => {
      const lines = await figureOf(charts.intervals.title).locator('.stage > svg:first-child tspan').allTextContents();
      for (const word of longNames.flatMap(name => name.split(' '))) expect(lines.join(' ')).toContain(word);
      expect(lines.join('')).not.toContain('…');
    });

    it('gives a level its name beside numbers, and no shade', async () => {
      const figure = figureOf(charts.swarm.title);
      await figure.getByText('As a table').click();
      const values = await figure.locator('tbody tr:has(td:text-is("brand")) td:nth-child(3)').allTextContents();
      expect(new Set(values)).toEqual(new Set(['level 0', 'level 1', 'level 2']));
    });

    it('has dots in the legend of dots, squares in that of bars, and lines in that of lines', async () => {
      const marks = (kind: keyof typeof charts) =>
        figureOf(charts[kind].title)
          .locator('.stage > svg:first-child g > :is(line, circle, rect):has(+ text)')
          .evaluateAll(all => [...new Set(all.map(mark => mark.tagName))]);
      expect(await marks('scatter')).toEqual(['circle']);
      expect(await marks('intervals')).toEqual(['circle']);
      expect(await marks('sorted-bars')).toEqual(['rect']);
      expect(await marks('lines')).toEqual(['line']);
    });

    it('draws what features do together apart from those that are left out', async () => {
      const texts = await figureOf(charts.waterfall.title).locator('.stage > svg:first-child text').allTextContents();
      expect(texts).toEqual(expect.arrayContaining(['3 others', 'together']));
    });

    it('changes theme by its button, charts included, and prints in light', async () => {
      const colours = () =>
        page.evaluate(() => [
          getComputedStyle(document.querySelector('figure')!).backgroundColor,
          getComputedStyle(document.querySelector('.stage > svg')!).color,
        ]);
      const light = await colours();
      await page.getByRole('button', { name: 'Dark theme' }).click();
      const dark = await colours();
      expect(dark[0]).not.toBe(light[0]);
      expect(dark[1]).not.toBe(light[1]);
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
      await page.emulateMedia({ media: 'print' });
      expect(await colours()).toEqual(light);
      expect(await page.locator('.tools button').first().isVisible()).toBe(false);
      await page.emulateMedia({ media: 'screen' });
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
      expect(await colours()).toEqual(dark);
    });
  });

  it('prints what a click would show, or says where it is', async () => {
    const { page, complaints } = await openPage(browser, address('every kind'));
    const shown = async () => {
      const figure = (title: string) => page.locator('figure', { hasText: title }).first();
      const visible = page.locator('p.note:visible');
      return {
        rows: await Promise.all(
          ['Differences', 'More rows'].map(title => figure(title).locator('tbody tr:visible').count()),
        ),
        options: await page.locator('footer details td:visible').count(),
        leftOut: (await visible.allTextContents()).filter(text => text.includes('not on paper')),
      };
    };
    const onScreen = await shown();
    expect(onScreen).toEqual({ rows: [20, 20], options: 0, leftOut: [] });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    expect(await shown()).toEqual({
      rows: [31, 200],
      options: 8,
      leftOut: ['1,034', '12', '10', '3', '12'].map(left =>
        expect.stringMatching(`^${left} more are not on paper: .*shows all and saves them as CSV`),
      ),
    });
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    expect(await shown()).toEqual(onScreen);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

async function contentOf(download: Download): Promise<Buffer> {
  return readFileSync(await download.path());
}
