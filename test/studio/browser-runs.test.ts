/** Runs in the studio, in a browser: listed, sorted, compared, starred, deleted; reports of others. */
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reason, withoutBrowser } from '../chromium.js';
import { nasty, type OpenStudio, openTestStudio } from './open.js';
import { openPage, PICTURE, type StudioPage } from './page.js';

describe.skipIf(withoutBrowser)(`runs of the studio in a browser${reason}`, () => {
  let open: OpenStudio;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let show: StudioPage['show'];
  let hash: StudioPage['hash'];

  beforeAll(async () => {
    open = await openTestStudio({ commands: ['train'], start: async () => undefined });
    ({ browser, page, complaints, show, hash } = await openPage(open));
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await open?.studio.close();
  });

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
    await page.locator(PICTURE).first().waitFor();
    expect(complaints).toEqual([]);
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
});
