/** What moves while runs are written: no change is missed, whenever it comes. */
import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Lock } from '#listwise/io/lock.js';
import type { Overview } from '#listwise/studio/answers.js';
import { reason, withoutBrowser } from '../chromium.js';
import { inStudio, type OpenStudio, openTestStudio } from './open.js';
import { openPage, type StudioPage } from './page.js';

let open: OpenStudio;
const locks: Lock[] = [];
beforeAll(async () => {
  open = await openTestStudio();
}, 60_000);
afterAll(async () => {
  for (const lock of locks) lock.release();
  await open?.studio.close();
});

/** A run as it is while it is written, by this process; how many iterations its log has is counted on. */
async function running(name: string) {
  cpSync(open.file('runs/b'), open.file(`runs/${name}`), { recursive: true });
  const path = open.file(`runs/${name}/run.json`);
  const record = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const put = (status: string) => {
    writeFileSync(
      `${path}.tmp`,
      JSON.stringify({ ...record, status, process: { pid: process.pid, host: hostname() } }),
    );
    renameSync(`${path}.tmp`, path);
  };
  locks.push(await Lock.take(open.file(`runs/${name}`), 'a test'));
  rmSync(open.file(`runs/${name}/results.json`));
  put('running');
  let iteration = 3;
  return {
    put,
    append: () =>
      appendFileSync(
        open.file(`runs/${name}/log.jsonl`),
        `${JSON.stringify({ iteration: ++iteration, validation: [0.9] })}\n`,
      ),
  };
}

/** The numbers that whoever connects is told. */
async function watch({ get }: Pick<OpenStudio, 'get'> = open) {
  const response = await get('/events');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next(): Promise<string> {
      for (;;) {
        const [whole, rest] = text.split(/\n\n(.*)/s);
        if (rest !== undefined) {
          text = rest;
          return whole!;
        }
        const { value, done } = await reader.read();
        if (done) throw new Error('the studio has ended');
        text += value;
      }
    },
    close: () => reader.cancel(),
  };
}

describe('what the server tells', () => {
  it('is what there is, to whoever connects; another number with every change', async () => {
    const run = await running('told');
    const one = await watch();
    await one.next();
    // The run that has come is seen by now.
    let last = await one.next();
    for (const change of [run.append, run.append, () => run.put('stopped')]) {
      change();
      const next = await one.next();
      expect(next).not.toBe(last);
      last = next;
    }
    const other = await watch();
    expect(await other.next()).toBe(last);
    await Promise.all([one.close(), other.close()]);
  });

  it('is a star that somebody else has given', async () => {
    cpSync(open.file('runs/a'), open.file('starred/a'), { recursive: true });
    // A studio of its own: nothing else changes in it, so that nothing else can be told.
    await inStudio({ folders: [open.file('starred')], every: 50 }, async there => {
      const one = await watch(there);
      const first = await one.next();
      await there.post('mark/starred/a', { star: true, note: '' });
      const told = await one.next();
      expect(told).not.toBe(first);
      const [run] = (await there.json<Overview>('overview')).runs;
      expect(run!.mark.star).toBe(true);
      // What does not change is not told: the next number is that of the next change.
      await there.post('mark/starred/a', { star: false, note: 'again' });
      expect(await one.next()).toBe(`data: ${Number(told.slice('data: '.length)) + 1}`);
      await one.close();
    });
  });
});

describe.skipIf(withoutBrowser)(`a view in a browser${reason}`, () => {
  let opened: StudioPage;
  let page: Page;
  beforeAll(async () => {
    opened = await openPage(open);
    page = opened.page;
  }, 60_000);
  afterAll(() => opened?.browser.close());
  beforeEach(() => page.goto('about:blank'));

  const iterations = (count: number) =>
    page.locator('.verdict', { hasText: `is running, after ${count} iterations` }).waitFor();
  /** Does something after an answer was made and before the page has it; goes on once the page was told. */
  async function meanwhile(path: RegExp, change: () => unknown): Promise<void> {
    await page.route(
      path,
      async (route: Route) => {
        const response = await route.fetch();
        const one = await watch();
        await one.next();
        await change();
        await one.next();
        await route.fulfill({ response });
        await one.close();
      },
      { times: 1 },
    );
  }

  it('follows a run while it is written', async () => {
    const run = await running('followed');
    await opened.show('#/run/runs/followed', /after 3 iterations/);
    const points = () => page.locator('.stage svg circle').count();
    await page.locator('.stage svg').first().waitFor();
    const before = await points();
    run.append();
    await page.waitForFunction(many => document.querySelectorAll('.stage svg circle').length > many, before);
    await iterations(4);
    run.put('finished');
    await page.locator('.verdict', { hasText: 'is finished' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('leaves open what somebody opened, and the focus and the place where they are, while it is drawn anew', async () => {
    const run = await running('read');
    await opened.show('#/run/runs/read', /after 3 iterations/);
    await page.locator('summary', { hasText: 'As a table' }).first().click();
    const rows = () => page.locator('details table tbody tr').count();
    // It is made once the browser has told that it is open.
    await page.locator('details table').waitFor();
    const before = await rows();
    expect(before).toBeGreaterThan(0);
    await page.locator('.stage').first().focus();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const y = await page.evaluate(() => scrollY);
    expect(y).toBeGreaterThan(100);
    run.append();
    await iterations(4);
    expect(await page.locator('details[open]').count()).toBe(1);
    expect(await rows()).toBeGreaterThan(before);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('stage');
    expect(await page.evaluate(() => scrollY)).toBeGreaterThanOrEqual(y);
    // A table that was closed again stays closed; one of more rows than are shown at first stays whole.
    await page.locator('summary', { hasText: 'As a table' }).first().click();
    for (let i = 0; i < 30; i++) run.append();
    await iterations(34);
    expect(await page.locator('details[open]').count()).toBe(0);
    await page.locator('summary', { hasText: 'As a table' }).first().click();
    await page
      .locator('details')
      .first()
      .getByRole('button', { name: /Show all/ })
      .click();
    expect(await rows()).toBeGreaterThan(30);
    run.append();
    await iterations(35);
    expect(await rows()).toBeGreaterThan(30);
    // As many rows stay as one has come to, and the place with them.
    for (let i = 0; i < 400; i++) run.append();
    await iterations(435);
    while ((await rows()) < 400) await page.locator('details table tbody tr').last().scrollIntoViewIfNeeded();
    await page.locator('details table tbody tr').nth(390).scrollIntoViewIfNeeded();
    const far = await page.evaluate(() => scrollY);
    run.append();
    await iterations(436);
    expect(await rows()).toBeGreaterThanOrEqual(400);
    expect(await page.evaluate(() => scrollY)).toBe(far);
    run.put('finished');
    await page.locator('.verdict', { hasText: 'is finished' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('follows a run that nobody can see going on: its folder is written to from elsewhere', async () => {
    const run = await running('afar');
    locks.pop()!.release();
    await opened.show('#/run/runs/afar', /is dead, after 3 iterations/);
    run.append();
    await page.locator('.verdict', { hasText: 'after 4 iterations' }).waitFor();
  });

  it('shows what changed while it was drawn for the first time', async () => {
    const run = await running('early');
    await opened.show('#/data/data.txt', /20 queries/);
    await meanwhile(/api\/run\/runs\/early/, run.append);
    await opened.show('#/run/runs/early', /./);
    await iterations(4);
  });

  it('shows what changed while it was drawn anew', async () => {
    const run = await running('late');
    await opened.show('#/run/runs/late', /after 3 iterations/);
    await meanwhile(/api\/run\/runs\/late/, run.append);
    run.append();
    await iterations(5);
  });

  it('keeps as many runs as were shown, and a note that is being written, while others change', async () => {
    const run = await running('moves');
    const first = readFileSync(open.file('runs/b/run.json'), 'utf8');
    for (let i = 0; i < 60; i++) {
      cpSync(open.file('runs/b'), open.file(`runs/many${i}`), { recursive: true });
      writeFileSync(open.file(`runs/many${i}/run.json`), first);
    }
    await opened.show('#/runs', /\d runs/);
    await page.getByRole('button', { name: /Show all/ }).click();
    const shown = () => page.locator('tbody tr').count();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length > 60);
    const many = await shown();
    const note = page.locator('tbody tr', { hasText: 'many3' }).first().locator('input[type="text"]');
    await note.fill('half a no');
    await note.focus();
    run.put('stopped');
    await page.locator('tbody tr', { hasText: 'moves' }).locator('text=stopped').first().waitFor();
    expect(await shown()).toBe(many);
    expect(await note.inputValue()).toBe('half a no');
    expect(await note.evaluate(input => input === document.activeElement)).toBe(true);
    for (let i = 0; i < 60; i++) rmSync(open.file(`runs/many${i}`), { recursive: true });
    expect(opened.complaints).toEqual([]);
  });

  it('lists runs that came while the list was asked for', async () => {
    await opened.show('#/data/data.txt', /20 queries/);
    await meanwhile(/api\/overview/, () => running('new'));
    await opened.show('#/runs', /runs/);
    await page.getByRole('link', { name: 'new', exact: true }).waitFor();
    expect(opened.complaints).toEqual([]);
  });
});
