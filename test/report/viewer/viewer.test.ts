/** Opens reports from disk in a browser and looks at them as a reader does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGroup } from '#listwise/cli/command/group.js';
import { program } from '#listwise/cli/declarations/all.js';
import { analyses } from '#listwise/cli/declarations/analyses/all.js';
import { writeReport } from '#listwise/report/render/html.js';
import { faults } from '../../axe.js';
import { temporaryDirectory } from '../../temporary.js';
import { covered, pageNames, writePages } from '../command-pages.js';
import { charts, everyKind, longNames } from '../every-kind.js';
import { drawn, type OpenPage, openBrowser, openPage, reason, withoutBrowser } from './browser.js';

const names = ['every kind', ...pageNames];
const kinds = Object.keys(charts) as (keyof typeof charts)[];

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

  it('has a row for the mean of folds below them', async () => {
    const { page } = await openPage(browser, address('cv'));
    const rows = await page
      .locator('tfoot tr')
      .evaluateAll(all => all.map(row => [...row.children].map(cell => cell.textContent)));
    expect(rows.map(([name]) => name)).toEqual(['mean', '95\u00a0% from', '95\u00a0% to']);
    const { mean } = await page.evaluate(
      () => ({ mean: document.querySelector('.values dd')!.textContent }) as { mean: string },
    );
    expect(rows[0]).toContain(mean.slice(0, 6));
    await page.close();
  });

  it.each(['compare', 'advise', 'tune', 'queries'])(
    'shows no part of a number beside the column of %s that stays in sight',
    async name => {
      const { page } = await openPage(browser, address(name));
      for (const width of [390, 620]) {
        await page.setViewportSize({ width, height: 900 });
        await drawn(page);
        expect(await page.evaluate(cutNumbers), `${name} at ${width}`).toEqual([]);
      }
      await page.close();
    },
  );

  it('has one colour for a system, in every chart of a comparison', async () => {
    const { page } = await openPage(browser, address('compare'));
    const legends = () =>
      page.$$eval('.stage > svg', found =>
        found.flatMap(svg =>
          [...svg.querySelectorAll('g > line + text')].map(text => [
            text.textContent!.split(' better')[0]!,
            text.previousElementSibling!.getAttribute('stroke')!,
          ]),
        ),
      );
    const list = page.locator('select');
    const pairs = await list.locator('option').count();
    expect(pairs).toBe(3);
    const coloured = await legends();
    for (let pair = 1; pair < pairs; pair++) {
      await list.selectOption(String(pair));
      await drawn(page);
      coloured.push(...(await legends()));
    }
    const systems = ['trees', 'net', 'linear'];
    const colours = systems.map(system => new Set(coloured.filter(([name]) => name === system).map(([, c]) => c)));
    expect(colours.map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(new Set(colours.flatMap(own => [...own])).size).toBe(3);
    expect(coloured.filter(([name]) => name === 'linear').length).toBeGreaterThan(4);
    await page.close();
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

  it('prints charts that stand beside each other in the width that each has there', async () => {
    const { page } = await openPage(browser, address('compare'));
    await page.emulateMedia({ media: 'print' });
    const widths = await page.$$eval('.row', rows =>
      rows.map(row => {
        const charts = [...row.querySelectorAll('.chart:not(.whole)')];
        const shares = charts.map(chart => chart.getBoundingClientRect().width / row.getBoundingClientRect().width);
        const filled = charts.map(chart => {
          const stage = chart.querySelector('.stage')!;
          return stage.querySelector('svg')!.getBoundingClientRect().width <= stage.getBoundingClientRect().width + 1;
        });
        return { shares: shares.map(share => Math.round(100 * share)), fits: filled.every(Boolean) };
      }),
    );
    expect(widths.every(({ fits }) => fits)).toBe(true);
    for (const { shares } of widths) {
      if (shares.length > 1) expect(shares.every(share => share > 45 && share <= 50)).toBe(true);
      else if (shares.length === 1) expect(shares[0]).toBe(100);
    }
    await page.close();
  });

  it('runs no script but its own', async () => {
    const { page, complaints } = await openPage(browser, address('inspect a model'));
    const before = await page.title();
    const refused = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "changed"';
      document.body.append(script);
      const fetched = await fetch('http://127.0.0.1:9/').then(
        () => 'fetched',
        () => 'refused',
      );
      return [document.title, fetched];
    });
    expect(refused).toEqual([before, 'refused']);
    expect(complaints.filter(text => !text.includes('Content Security Policy'))).toEqual([]);
    await page.close();
  });
});

async function contentOf(download: Download): Promise<Buffer> {
  return readFileSync(await download.path());
}

/** Controls and charts that a screen reader could not name. */
function nameless(page: Page): Promise<string[]> {
  return page.$$eval('a, button, summary, .stage, .scroll, table, section', found =>
    found
      .filter(one => {
        const heading = document.getElementById(one.getAttribute('aria-labelledby') ?? '');
        const text = one.matches('a, button, summary') ? one.textContent : '';
        return (one.getAttribute('aria-label') ?? heading?.textContent ?? text ?? '').trim() === '';
      })
      .map(one => one.outerHTML.slice(0, 80)),
  );
}

interface Saved {
  /** The name of the button. */
  readonly button: string;
  readonly file: string;
  readonly type: string;
  readonly size: number;
  readonly start: string;
}

/** What the buttons of a page save, read in the page: real downloads of every one would take long. */
function savedByAll(page: Page): Promise<Saved[]> {
  return page.evaluate(async () => {
    const [create, click] = [URL.createObjectURL, HTMLAnchorElement.prototype.click];
    const saved: Saved[] = [];
    for (const button of document.querySelectorAll<HTMLButtonElement>('.tools button')) {
      let blob = new Blob();
      URL.createObjectURL = made => {
        blob = made as Blob;
        return create.call(URL, made);
      };
      const file = await new Promise<string>(resolve => {
        HTMLAnchorElement.prototype.click = function () {
          resolve(this.download);
        };
        button.click();
      });
      saved.push({
        button: button.getAttribute('aria-label')!,
        file,
        type: blob.type,
        size: blob.size,
        start: await blob.slice(0, 20).text(),
      });
    }
    URL.createObjectURL = create;
    HTMLAnchorElement.prototype.click = click;
    return saved;
  });
}

/** Moves the pointer over every chart, from corner to corner: scripts that fail there would not fail before. */
async function sweep(page: Page): Promise<void> {
  const said = await page.$$eval('.stage', stages =>
    stages.map(stage => {
      const { left, top, width, height } = stage.getBoundingClientRect();
      for (let share = 0; share <= 1; share += 0.1) {
        const at = { clientX: left + share * width, clientY: top + share * height };
        stage.dispatchEvent(new PointerEvent('pointermove', at));
      }
      return stage.querySelector('.tip')!.textContent;
    }),
  );
  expect(said.filter(text => text === '')).toEqual([]);
}

/** Texts with a contrast to what is behind them below WCAG's 4.5, and lines of charts below its 3. */
function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const rgb = (colour: string) => {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    };
    const luminance = (colour: string) => {
      const [r, g, b] = rgb(colour).map(value => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
    };
    const contrast = (a: string, b: string) => {
      const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
      return (high! + 0.05) / (low! + 0.05);
    };
    const behind = (start: Element) => {
      for (let at: Element | null = start; at !== null; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at);
        if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor;
      }
      return 'white';
    };
    const faint: string[] = [];
    const check = (element: Element, colour: string, least: number) => {
      const found = contrast(colour, behind(element));
      if (found < least) faint.push(`${element.tagName} ${element.textContent?.slice(0, 40)}: ${found.toFixed(2)}`);
    };
    for (const element of document.querySelectorAll('h1, h2, p, a, dt, dd, button, td, th, figcaption, summary, pre')) {
      if (element.textContent !== '' && element.getClientRects().length > 0) {
        check(element, getComputedStyle(element).color, 4.5);
      }
    }
    for (const text of document.querySelectorAll('.stage > svg text')) {
      // Numbers inside the cells of a heat map are on the cell, not on the paper.
      if (text.closest('svg')!.querySelector('[aria-label="cell"]') === null) {
        check(text, getComputedStyle(text).fill, 4.5);
      }
    }
    for (const line of document.querySelectorAll('.stage > svg [aria-label="line"] path')) {
      const shown = getComputedStyle(line).stroke;
      check(line, shown, 3);
    }
    return faint;
  });
}

/** Numbers of which the column that stays leaves a part in sight, wherever its table is scrolled to. */
async function cutNumbers(): Promise<string[]> {
  const cut: string[] = [];
  let looked = 0;
  for (const scroll of document.querySelectorAll<HTMLElement>('.scroll:has(th.kept)')) {
    scroll.scrollIntoView({ block: 'start' });
    const last = scroll.scrollWidth - scroll.clientWidth;
    for (let from = 0; from <= last; from += 12) {
      scroll.scrollLeft = from;
      await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
      const { left: start } = scroll.getBoundingClientRect();
      const cells = scroll.querySelectorAll('tbody tr:nth-child(-n+3) td.number:has(~ .kept)');
      for (const cell of cells) {
        const range = document.createRange();
        range.selectNodeContents(cell.firstChild!);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        if (left < start) continue;
        looked++;
        const seen = (x: number) => document.elementFromPoint(x, (top + bottom) / 2) === cell;
        if (seen(left + 2) !== seen(right - 2)) cut.push(`${cell.textContent} at ${from}`);
      }
    }
  }
  return looked === 0 ? ['nothing to look at'] : cut;
}
