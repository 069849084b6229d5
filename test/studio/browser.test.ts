/** The studio in a browser: every view drawn, live, by keyboard and on a phone, and readable by a screen reader. */
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { QueryDocuments, TrainingView } from '#listwise/studio/answers.js';
import { faults } from '../axe.js';
import { reason, withoutBrowser } from '../chromium.js';
import { nasty, type OpenStudio, openTestStudio } from './open.js';
import { openPage, type StudioPage } from './page.js';

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

describe.skipIf(withoutBrowser)(`the studio in a browser${reason}`, () => {
  let open: OpenStudio;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let show: StudioPage['show'];

  beforeAll(async () => {
    open = await openTestStudio({ commands: ['train'], start: async () => undefined });
    ({ browser, page, complaints, show } = await openPage(open));
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await open?.studio.close();
  });

  const chartsDrawn = (least: number) =>
    page.waitForFunction(
      count =>
        document.querySelectorAll('.stage > svg:first-child').length >= count &&
        ![...document.querySelectorAll('main .note')].some(note => note.textContent?.endsWith('…')),
      least,
    );
  /** What keys and answers lead to has happened once the page has asked for something after them, and was drawn. */
  const handled = () =>
    page.evaluate(async () => {
      await (await fetch('/api/overview')).text();
      await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
    });
  /** The address as it is now: Playwright hears of it a little later. */
  const hash = () => page.evaluate(() => location.hash);

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
    const marks = await page.locator('.stage > svg:first-child :is(path, circle, rect, line)').count();
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

  it('lists runs, names with HTML in them as text; filters them, and compares those that are chosen', async () => {
    await show('#/runs', /4 runs/);
    expect(await page.locator('td a', { hasText: nasty }).count()).toBe(1);
    await page.getByLabel('Filter runs').fill('linear');
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await hash()).toContain('filter=linear');
    await page.getByLabel('Filter runs').fill('');
    await page.getByLabel('Choose a', { exact: true }).check();
    await page.getByLabel('Choose b', { exact: true }).check();
    expect(await hash()).toBe('#/runs?run=runs%2Fa&run=runs%2Fb');
    await page.getByRole('link', { name: 'Compare 2 runs' }).click();
    await page.locator('.verdict', { hasText: 'options differ' }).waitFor();
    await page.getByLabel('Paired tests on').selectOption('data.txt');
    await page.locator('h2', { hasText: 'Differences' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('sorts runs by their heads; order, filter and what is chosen are in the address', async () => {
    const other = await (await browser.newContext()).newPage();
    await show('#/runs', /4 runs/);
    const names = (of: Page) => of.locator('tbody td a').allTextContents();
    const head = page.getByRole('columnheader').getByRole('button', { name: 'run', exact: true });
    const newest = await names(page);
    await head.click();
    expect(await names(page)).toEqual([nasty, 'a', 'b', 'leak']);
    await head.click();
    expect(await names(page)).toEqual(['leak', 'b', 'a', nasty]);
    expect(await page.locator('th[aria-sort="descending"]').textContent()).toBe('run');
    await page.getByLabel('Filter runs').fill('train');
    const chosen = page.getByRole('checkbox', { checked: true });
    await other.goto(`${open.studio.url}${await hash()}`);
    await other.locator('.verdict', { hasText: '4 runs' }).waitFor();
    expect(await names(other)).toEqual(['leak', 'b', 'a', nasty]);
    expect(await other.getByRole('checkbox', { checked: true }).count()).toBe(await chosen.count());
    expect(await other.getByLabel('Filter runs').inputValue()).toBe('train');
    await other.context().close();
    await page.getByLabel('Filter runs').fill('');
    await head.click();
    expect(await names(page)).toEqual(newest);
    expect(await hash()).not.toContain('sort');
    expect(complaints).toEqual([]);
  });

  it('has the order of the list of queries in the address, and comes back to it', async () => {
    await show(`#/queries?data=data.txt&${two}`, /From a to b/);
    const ids = () => page.locator('table').first().locator('tbody td a').allTextContents();
    const given = await ids();
    await page.locator('table').first().getByRole('button', { name: 'query', exact: true }).click();
    const sorted = [...given].sort((x, y) => Number(x) - Number(y));
    expect(await ids()).toEqual(sorted);
    expect(new URLSearchParams((await hash()).split('?')[1]).getAll('sort')).toEqual([
      expect.stringMatching(/\.up\.query$/),
    ]);
    await page.reload();
    await page.locator('.verdict', { hasText: /^From a to b/ }).waitFor();
    expect(await ids()).toEqual(sorted);
    // Another measure is another list, in the same order.
    await page.getByLabel('Measure').fill('ap');
    await page.keyboard.press('Enter');
    await page.locator('.verdict', { hasText: /^From a to b, ap / }).waitFor();
    expect(await ids()).toEqual(sorted);
    await page.locator('table').first().locator('tbody td a').nth(3).click();
    const query = (id: string | undefined) => page.locator('.verdict', { hasText: `Query ${id},` }).waitFor();
    await query(sorted[3]);
    // The next and the one before are those of the list, also to whoever is given the address.
    await page.keyboard.press('j');
    await query(sorted[4]);
    await page.reload();
    await query(sorted[4]);
    await page.keyboard.press('k');
    await query(sorted[3]);
    await page.locator('td a[href^="#/document"]').first().click();
    await page.getByRole('link', { name: `Query ${sorted[3]}` }).click();
    await query(sorted[3]);
    await page.keyboard.press('k');
    await query(sorted[2]);
    await page.getByRole('link', { name: 'All queries' }).click();
    await page.locator('.verdict', { hasText: /^From a to b/ }).waitFor();
    expect(await ids()).toEqual(sorted);
    expect(complaints).toEqual([]);
  });

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

  it('asks before it deletes a run, and then does', async () => {
    await show(`#/run/runs/${encodeURIComponent(nasty)}`, /ndcg@10/);
    const gone = () => !existsSync(open.file(`runs/${nasty}`));
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText(`Delete the run ${nasty}?`).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(gone()).toBe(false);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.locator('.verdict', { hasText: '3 runs' }).waitFor();
    expect(gone()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('says what is left of a run that was deleted', async () => {
    cpSync(open.file('runs/a'), open.file('runs/mine'), { recursive: true });
    writeFileSync(open.file('runs/mine/mine.txt'), 'mine');
    await show('#/run/runs/mine', /ndcg@10/);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.locator('.note', { hasText: 'are left: mine.txt' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('lets a report that somebody else made ask nobody for anything', async () => {
    const asked: string[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.url!);
      response.setHeader('Access-Control-Allow-Origin', '*').end();
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const there = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    cpSync(open.file('runs/a'), open.file('runs/theirs'), { recursive: true });
    const script = `new Image().src = '${there}/image';
      fetch('${open.base}/api/overview').catch(() => {});
      fetch('${there}/fetch').catch(() => { document.title = 'refused'; });`;
    writeFileSync(open.file('runs/theirs/report.html'), `<!doctype html><title>no</title><script>${script}</script>`);
    await page.goto(`${open.base}/report/runs/theirs`);
    await page.waitForFunction(() => document.title === 'refused');
    expect(asked).toEqual([]);
    elsewhere.close();
    rmSync(open.file('runs/theirs'), { recursive: true });
    complaints.length = 0; // that it was refused
    await page.goto(`${open.base}/report/runs/a`);
    await page.locator('.stage > svg:first-child').first().waitFor();
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

  it('says what a lambda is under the pointer, in a table, and keeps the scale while one steps', async () => {
    await show(
      '#/forces?data=data.txt&model=run%2Fruns%2Fa&query=2&objective=ranknet',
      /What ranknet would do to query 2/,
    );
    const scale = () => page.locator('.forces .note').filter({ hasText: 'is a lambda of' }).textContent();
    const rows = page.locator('.forces tbody tr');
    await expect.poll(() => rows.count()).toBe(8);
    expect(await page.locator('.forces th').allTextContents()).toEqual(['document', 'label', 'score', 'lambda']);
    await page.locator('.forces .handle').first().hover();
    const told = await page.locator('.forces .tip').textContent();
    expect(told!.replaceAll(/\s+/g, ' ')).toContain(`lambda${await rows.first().locator('td').last().textContent()}`);
    const before = (await scale())!.split('range of scores')[1];
    const first = await rows.first().locator('td').last().textContent();
    await page.getByRole('button', { name: 'Step' }).click();
    await expect.poll(() => rows.first().locator('td').last().textContent()).not.toBe(first);
    expect((await scale())!.split('range of scores')[1]).toBe(before);
  });

  it('has one colour for a label, whichever labels a query has', async () => {
    const colours = new Map<number | undefined, Set<number>>();
    for (let q = 1; q <= 20; q++) {
      const { documents } = await open.json<QueryDocuments>(`documents/data.txt/${q}`);
      for (const { label, colour } of documents) colours.set(label, (colours.get(label) ?? new Set()).add(colour));
    }
    const labels = [...colours.keys()].sort((a, b) => b! - a!);
    expect(labels.map(label => [...colours.get(label)!])).toEqual(labels.map((_, place) => [place]));
  });

  it('says that a star could not be kept, and shows none', async () => {
    const marks = open.file('runs/.listwise-studio.json');
    await show('#/runs', /runs,/);
    writeFileSync(marks, 'mine');
    await page.locator('.note', { hasText: 'no list of stars and notes' }).waitFor();
    const star = page.getByRole('button', { name: 'Star a', exact: true });
    await star.click();
    await page.waitForFunction(
      () => document.querySelector('[aria-label="Star a"]')?.getAttribute('aria-pressed') === 'false',
    );
    expect(readFileSync(marks, 'utf8')).toBe('mine');
    rmSync(marks);
    await page.locator('.note', { hasText: 'no list of stars and notes' }).waitFor({ state: 'detached' });
    expect(complaints.filter(text => !text.includes('Failed to load resource'))).toEqual([]);
    complaints.length = 0;
  });

  it('opens a query, and a document of it, by the keyboard', async () => {
    await show(`#/queries?data=data.txt&${two}`, /From a to b/);
    await page.keyboard.press('/');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await page.locator('.verdict', { hasText: /^Query 1,/ }).waitFor();
    const next = page.locator('a[aria-keyshortcuts="j"]');
    const other = (await next.textContent())!.replace('Next: ', '');
    await page.keyboard.press('j');
    await page.locator('.verdict', { hasText: new RegExp(`^Query ${other},`) }).waitFor();
    await page.keyboard.press('k');
    await page.locator('.verdict', { hasText: /^Query 1,/ }).waitFor();
    // Where documents are on the web goes along, to the list and back.
    const away = 'https://shop.example/{document}';
    await page.getByLabel('Address of a document').fill(away);
    await page.keyboard.press('Enter');
    await page.locator('td a[href="https://shop.example/2"]').first().waitFor();
    await page.getByRole('link', { name: 'All queries' }).click();
    await page.locator('.verdict', { hasText: /^From a to b/ }).waitFor();
    await page.locator('td a', { hasText: /^1$/ }).first().click();
    await page.locator('td a[href="https://shop.example/2"]').first().waitFor();
    expect(await page.locator('td', { hasText: 'The <b>first</b> one' }).count()).toBe(1);
    await page.locator('td a[href^="#/document"]', { hasText: /^2$/ }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.verdict', { hasText: /^Document 2 of query 1/ }).waitFor();
    await page.getByLabel('Against').selectOption('5');
    await page.locator('.verdict', { hasText: /a scores 2/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('moves documents by the mouse and by keys, and the address says where they are', async () => {
    await show('#/forces?data=data.txt&model=run%2Fruns%2Fa&query=2', /would do to query 2/);
    await page.locator('.note', { hasText: 'with a lambda' }).waitFor();
    const before = await page.locator('.forces [role="slider"]').first().getAttribute('aria-label');
    const box = (await page.locator('.forces .handle').first().boundingBox())!;
    await page.mouse.move(box.x + 3, box.y + 3);
    await page.mouse.down();
    await page.mouse.move(box.x - 500, box.y + 5, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(
      text => document.querySelector('.forces [role="slider"]')!.getAttribute('aria-label') !== text,
      before,
    );
    const scores = () => new URLSearchParams(page.url().split('?')[1]).get('scores')!;
    expect(scores().split(',')).toHaveLength(8);
    const dragged = scores();
    await page.locator('.forces [role="slider"]').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(text => !location.hash.includes(text), encodeURIComponent(dragged));
    expect(await page.evaluate(() => document.activeElement!.getAttribute('role'))).toBe('slider');
    const moved = scores();
    await page.getByRole('button', { name: 'Step' }).click();
    await page.waitForFunction(text => !location.hash.includes(text), encodeURIComponent(moved));
    await page.locator('.command pre', { hasText: `--at ${scores()}` }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('draws labels that are no whole numbers, and none, in colours of their own', async () => {
    await page.route(/api\/documents\//, async route => {
      const response = await route.fetch();
      const found = (await response.json()) as QueryDocuments;
      const labels = [0.5, -1, undefined, 12];
      const documents = found.documents.map((one, i) => ({
        ...one,
        label: labels[i % labels.length],
        colour: i % labels.length,
      }));
      await route.fulfill({ response, json: { ...found, documents } });
    });
    await show('#/forces?data=data.txt&query=3', /would do to query 3/);
    await page.locator('.forces .handle').first().waitFor();
    const fills = await page.locator('.forces .handle').evaluateAll(all => all.map(one => one.getAttribute('fill')!));
    expect(new Set(fills).size).toBe(4);
    for (const fill of fills) expect(fill).toMatch(/^#[0-9a-f]{6}$/);
    expect(await page.locator('.forces svg text', { hasText: /^label 0.5$/ }).count()).toBe(1);
    await page.unrouteAll();
  });

  it('trains, shows the curve as it grows, cancels, and steps through the iterations', async () => {
    await show('#/try?data=data.txt&model=linear&set=epochs%3D10000000&set=patience%3D0', /Choose what to train/);
    await page.getByRole('button', { name: 'Train' }).click();
    await page.locator('.verdict', { hasText: 'is running, after iteration' }).waitFor();
    const said = await page.locator('.verdict').textContent();
    await page.waitForFunction(text => document.querySelector('.verdict')?.textContent !== text, said);
    await page.locator('.stage > svg:first-child').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: /^Its lambdas/ }).waitFor();
    expect(await page.locator('.command pre').first().textContent()).toMatch(/^listwise train .*--set epochs=10000000/);
    await page.getByRole('link', { name: /^Its lambdas/ }).click();
    const slider = page.getByLabel('Iteration of the training');
    await slider.waitFor();
    const places = () => page.locator('.forces .handle').evaluateAll(all => all.map(one => one.getAttribute('cx')));
    const first = await places();
    await slider.focus();
    await page.keyboard.press('End');
    await page.waitForFunction(
      text => [...document.querySelectorAll('.forces .handle')].map(one => one.getAttribute('cx')).join() !== text,
      first.join(),
    );
    expect(page.url()).toContain('iteration=');
    expect(complaints).toEqual([]);
  }, 60_000);

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

  it('shows the iteration that was asked for last, and says where there is none', async () => {
    const request = { data: 'data.txt', model: 'linear', set: ['epochs=5', 'patience=0'] };
    const { id } = (await (await open.post('train', request)).json()) as { id: string };
    const state = async () => (await open.json<TrainingView>(`training/${id}`)).training.state;
    await vi.waitFor(async () => expect(await state()).not.toBe('running'), 20_000);
    await show(`#/forces?data=data.txt&model=training%2F${id}&query=2&iteration=1`, /would do to query 2/);
    let late: Route | undefined;
    await page.route(/iteration=2/, route => {
      late = route;
    });
    await page.route(/iteration=3/, route => route.fulfill({ status: 500, body: '{"error":{"message":"no such"}}' }));
    const slider = page.getByLabel('Iteration of the training');
    await slider.fill('1');
    await vi.waitFor(() => expect(late).toBeDefined(), 10_000);
    await slider.fill('4');
    await page.waitForURL(/iteration=5/);
    const answered = page.waitForResponse(/iteration=2/);
    await late!.continue();
    await (await answered).finished();
    await handled();
    expect(page.url()).toContain('iteration=5');
    expect(complaints).toEqual([]);
    await slider.fill('2');
    await page.locator('.note', { hasText: 'no such' }).waitFor();
    await page.unrouteAll();
    expect(complaints.filter(text => !text.includes('Failed to load resource'))).toEqual([]);
    complaints.length = 0;
  }, 30_000);

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
