/** What single report pages are asked for, in a browser. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { writePages } from '../command-pages.js';
import { drawn, openBrowser, openPage, reason, withoutBrowser } from './browser.js';

const names = ['compare', 'inspect a model', 'cv', 'tune', 'queries', 'advise', 'reproduce'];

describe.skipIf(withoutBrowser)(`single report pages in a browser${reason}`, () => {
  const directory = temporaryDirectory();
  const address = (name: string) => pathToFileURL(join(directory, `${name}.html`)).href;
  let browser: Browser;

  beforeAll(async () => {
    await writePages(directory, names);
    browser = await openBrowser();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
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

  it('shows no strip of a column beside the verdicts of a reproduction', async () => {
    const { page } = await openPage(browser, address('reproduce'));
    await page.setViewportSize({ width: 390, height: 900 });
    await drawn(page);
    const strips = await page.$$eval('.scroll:has(th.kept)', all =>
      all.flatMap(scroll => {
        scroll.scrollIntoView({ block: 'start' });
        const edge = scroll.querySelector('th.kept')!.getBoundingClientRect().left;
        const room = edge - scroll.getBoundingClientRect().left;
        return [...scroll.querySelectorAll('th:not(.kept)')].flatMap(head => {
          const { left, right, top, bottom } = head.getBoundingClientRect();
          if (left >= edge || right <= edge + 20 || edge - left >= room / 2) return [];
          const seen = head.contains(document.elementFromPoint(left + 1, (top + bottom) / 2));
          return [{ head: head.textContent, seen }];
        });
      }),
    );
    expect(strips).toEqual([{ head: 'theirs', seen: false }]);
    await page.close();
  });

  it('has room for the findings of a reproduction on a desk', async () => {
    const { page } = await openPage(browser, address('reproduce'));
    await page.setViewportSize({ width: 1280, height: 900 });
    await drawn(page);
    // As long as they can be, in every column.
    const widths = await page.$eval('.scroll:has(th.kept)', scroll => {
      for (const cell of scroll.querySelectorAll('td.text:not(.kept)')) {
        cell.classList.add('long');
        cell.textContent = 'about 47,000 queries and about 120 data sets';
      }
      for (const cell of scroll.querySelectorAll('td.kept')) cell.textContent = 'contradicted';
      return [scroll.scrollWidth, scroll.clientWidth];
    });
    expect(widths[0]).toBeLessThanOrEqual(widths[1]!);
    await page.close();
  });

  it('has one colour for a system, in every chart of a comparison', async () => {
    const { page } = await openPage(browser, address('compare'));
    const legends = () =>
      page.$$eval('.stage > svg', found =>
        found.flatMap(svg =>
          [...svg.querySelectorAll('g > :is(line, circle, rect) + text')].map(text => {
            const mark = text.previousElementSibling!;
            const colour = mark.getAttribute(mark.tagName === 'line' ? 'stroke' : 'fill')!;
            return [text.textContent!.split(' better')[0]!, colour];
          }),
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
