/** Every view of the studio in a browser: drawn, by its address, on a phone, and readable by a screen reader. */
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { faults } from '../axe.js';
import { reason, withoutBrowser } from '../chromium.js';
import { type OpenStudio, openTestStudio } from './open.js';
import { openPage, PICTURE, type StudioPage } from './page.js';

const two = 'model=run%2Fruns%2Fa&model=run%2Fruns%2Fb';

/** Every view: its address, what its verdict says, how many charts it has at least. */
const views = [
  ['#/runs', /runs, 0 of them running/, 1],
  ['#/run/runs/a', /ndcg@10/, 1],
  ['#/compare?run=runs%2Fa&run=runs%2Fb', /options differ/, 1],
  ['#/compare?run=runs%2Fa&run=runs%2Fb&data=data.txt&measure=ap', /ap/, 3],
  [`#/queries?data=data.txt&measure=ap&${two}`, /From a to b, ap/, 2],
  [`#/query/data.txt/1?${two}`, /^Query 1/, 2],
  [`#/document/data.txt/1/2?${two}`, /^Document 2 of query 1/, 2],
  ['#/document/data.txt/1/2?model=run%2Fruns%2Fa&against=5', /^Query 1/, 1],
  ['#/forces?data=data.txt&model=run%2Fruns%2Fa&query=2', /would do to query 2/, 0],
  ['#/data/data.txt?against=other.txt', /20 queries/, 5],
  ['#/try?data=data.txt&model=linear&set=epochs%3D3', /Choose what to train/, 1],
] as const;

describe.skipIf(withoutBrowser)(`views of the studio in a browser${reason}`, () => {
  let open: OpenStudio;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let show: StudioPage['show'];
  let handled: StudioPage['handled'];

  beforeAll(async () => {
    open = await openTestStudio({ commands: ['train'], start: async () => undefined });
    ({ browser, page, complaints, show, handled } = await openPage(open));
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await open?.studio.close();
  });

  const chartsDrawn = (least: number) =>
    page.waitForFunction(
      ([picture, count]) =>
        document.querySelectorAll(picture).length >= count &&
        ![...document.querySelectorAll('main .note')].some(note => note.textContent?.endsWith('…')),
      [PICTURE, least] as const,
    );

  it('goes to the view that the address with the token names', async () => {
    const other = await browser.newContext();
    const fresh = await other.newPage();
    await fresh.goto(`${open.studio.url}#/data/data.txt`);
    await fresh.locator('.verdict', { hasText: '20 queries' }).waitFor();
    expect(fresh.url()).toBe(`${open.base}/#/data/data.txt`);
    await other.close();
  });

  it('opens from a page of another site, a chat or a mail, with the token and later without', async () => {
    const context = await browser.newContext();
    const other = await context.newPage();
    for (const address of [`${open.studio.url}#/data/other.txt`, `${open.base}/#/data/other.txt`]) {
      await other.route('http://chat.example/', route =>
        route.fulfill({ contentType: 'text/html', body: `<a href="${address}">look</a>` }),
      );
      await other.goto('http://chat.example/');
      await other.locator('a').click();
      await other.locator('.verdict', { hasText: '20 queries' }).waitFor();
      expect(other.url()).toBe(`${open.base}/#/data/other.txt`);
    }
    // What changes anything stays out of reach of such a page.
    const statuses: number[] = [];
    other.on('response', answer => statuses.push(answer.status()));
    await other.route('http://chat.example/', route =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" enctype="text/plain" action="${open.base}/api/mark/runs/a"><button>go</button></form>`,
      }),
    );
    await other.goto('http://chat.example/');
    await other.locator('button').click();
    await other.getByText('not from here').waitFor();
    expect(statuses.at(-1)).toBe(403);
    await context.close();
  });

  it.each(views)('draws %s, and says which command gives the same', async (hash, verdict, charts) => {
    await show(hash, verdict);
    await chartsDrawn(charts);
    const marks = await page.locator(`${PICTURE} :is(path, circle, rect, line)`).count();
    if (charts > 0) expect(marks).toBeGreaterThan(charts);
    expect(await page.locator('.command pre').first().textContent()).toMatch(/^listwise /);
    expect(await page.getByRole('button', { name: /^Save .* as SVG$/ }).count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  it.each(views)(
    'has nothing in %s that axe finds wrong: light, dark, on a phone',
    async (hash, verdict, charts) => {
      for (const [colorScheme, width] of [
        ['light', 1100],
        ['dark', 390],
      ] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 900 });
        await show(hash, verdict);
        await chartsDrawn(charts);
        expect(await faults(page), `${colorScheme}, ${width}`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), hash).toBeLessThanOrEqual(width);
      }
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 1100, height: 900 });
    },
    60_000,
  );

  it('says in its address what was chosen for whoever did not', async () => {
    for (const [short, whole] of [
      ['#/queries', '#/queries?data=data.txt&measure=ndcg%4010&model='],
      ['#/forces', '#/forces?data=data.txt&objective='],
      ['#/data', '#/data/data.txt?measure=ndcg%4010'],
      ['#/try', '#/try?data=data.txt&model='],
    ]) {
      await page.goto(`${open.base}/${short}`);
      await page.waitForFunction(start => location.hash.startsWith(start!), whole);
    }
    expect(complaints).toEqual([]);
  });

  it('says what is wrong with an address that was written by hand', async () => {
    await show(`#/query/data.txt/%E0%A4%A?${two}`, /no query "%E0%A4%A"/);
    expect(complaints.filter(text => !text.includes('Failed to load resource'))).toEqual([]);
    complaints.length = 0;
  });

  it.each([
    ['#/queries?data=data.txt&measure=nope%405&model=run%2Fruns%2Fa', 'Measure', 'nope@5'],
    ['#/queries?data=d9&model=run%2Fruns%2Fa', 'Data', 'd9'],
    ['#/forces?data=data.txt&query=nosuch', 'Query', 'nosuch'],
    ['#/data/d9', 'Data', 'd9'],
  ])('keeps what was chosen beside what is wrong with it: %s', async (hash, label, value) => {
    await page.goto(`${open.base}/${hash}`);
    await page.getByRole('alert').first().waitFor();
    const fields = page.locator('label', { hasText: new RegExp(`^${label}`) }).locator('input, select');
    await expect.poll(() => fields.inputValue()).toBe(value);
    expect(await page.getByRole('alert').count()).toBe(1);
    complaints.length = 0;
  });

  it('says that there is no such view', async () => {
    await show('#/nosuch', /There is no view “nosuch”/);
    expect(await page.locator('nav [aria-current]').count()).toBe(0);
    await show('#/', /runs/);
  });

  it('says that a seed must be a whole number, and keeps what was written', async () => {
    await show('#/try?data=data.txt&model=linear&seed=abc', /the seed must be a whole number, 0 or above, not "abc"/);
    expect(await page.getByLabel('Seed').inputValue()).toBe('abc');
    complaints.length = 0;
  });

  it('draws a feature that is asked for by its name, and says where there is none', async () => {
    await show('#/data/data.txt', /20 queries/);
    const field = page.getByLabel('Feature', { exact: true });
    const names = await page
      .locator('#of-feature option')
      .evaluateAll(all => all.map(one => one.getAttribute('value')));
    expect(names).toHaveLength(4);
    await field.fill(names[3]!);
    await field.press('Enter');
    await page.getByRole('heading', { name: `Feature ${names[3]}`, exact: true }).waitFor();
    expect(new URL(page.url()).hash).toContain(`feature=${names[3]}`);
    await page.goto(`${open.base}/#/data/data.txt?feature=nosuch`);
    await page.getByRole('alert').filter({ hasText: 'has no feature "nosuch"' }).waitFor();
    complaints.length = 0;
  });

  it.each([
    ['#/runs', /runs/, 'Runs'],
    ['#/forces?data=data.txt&query=2', /query 2/, 'Lambdas of lambdarank on query 2'],
    ['#/data/data.txt', /20 queries/, 'data.txt'],
    [`#/query/data.txt/nosuch?${two}`, /no query/, 'Queries'],
  ])('has a title of its own: %s', async (hash, verdict, title) => {
    await show(hash, verdict);
    await expect.poll(() => page.title()).toBe(`${title} · listwise studio`);
    complaints.length = 0;
  });

  it('says the value of one model alone on a query, and its links stand on one line', async () => {
    await show('#/query/data.txt/1?model=run%2Fruns%2Fa', /^Query 1 by a: ndcg@10 [\d.]+; 8 documents\.$/);
    const next = page.getByRole('link', { name: /^Next/ });
    await next.waitFor();
    const middle = async (of: typeof next) => {
      const { y, height } = (await of.boundingBox())!;
      return y + height / 2;
    };
    const [one, other] = [await middle(next), await middle(page.getByRole('link', { name: 'All queries' }))];
    expect(Math.abs(one - other)).toBeLessThan(1);
  });

  it('has no keys of a view that is gone', async () => {
    await show(`#/query/data.txt/1?${two}`, /^Query 1,/);
    await show('#/runs', /runs/);
    const before = page.url();
    await page.keyboard.press('j');
    await handled();
    expect(page.url()).toBe(before);
  });

  it('has neither keys nor the title of a view that came too late', async () => {
    let late: Route | undefined;
    await page.route(/api\/query\//, route => {
      late = route;
    });
    await page.goto(`${open.base}/#/query/data.txt/1?${two}`);
    await vi.waitFor(() => expect(late).toBeDefined(), 10_000);
    await show('#/runs', /runs/);
    const [before, title] = [page.url(), await page.title()];
    const answered = page.waitForResponse(/api\/query\//);
    await late!.continue();
    await (await answered).finished();
    await page.unrouteAll();
    await handled();
    await page.keyboard.press('j');
    await handled();
    expect(page.url()).toBe(before);
    expect(await page.title()).toBe(title);
  });

  it('fits a telephone', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const [hash, verdict] of [
      ['#/runs', /runs/],
      [`#/query/data.txt/1?${two}`, /^Query 1/],
      ['#/forces?data=data.txt&query=2', /query 2/],
    ] as const) {
      await show(hash, verdict);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), hash).toBeLessThanOrEqual(390);
    }
  });
});
