/** Lambdas in the studio, in a browser: moved, stepped, and along a training. */
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueryDocuments, TrainingView } from '#listwise/studio/answers.js';
import { reason, withoutBrowser } from '../chromium.js';
import { type OpenStudio, openTestStudio } from './open.js';
import { openPage, PICTURE, type StudioPage } from './page.js';

describe.skipIf(withoutBrowser)(`lambdas of the studio in a browser${reason}`, () => {
  let open: OpenStudio;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let show: StudioPage['show'];
  let handled: StudioPage['handled'];
  let hash: StudioPage['hash'];

  beforeAll(async () => {
    open = await openTestStudio({ commands: ['train'], start: async () => undefined });
    ({ browser, page, complaints, show, handled, hash } = await openPage(open));
  }, 60_000);
  // Verdicts of two tests are alike: none finds the other's.
  beforeEach(() => page.goto('about:blank'));
  afterAll(async () => {
    await browser?.close();
    await open?.studio.close();
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

  it('puts a document back when a finger scrolls the page after all, and lets go of it', async () => {
    await show('#/forces?data=data.txt&model=run%2Fruns%2Fa&query=2', /would do to query 2/);
    await page.locator('.forces .handle').first().waitFor();
    const before = await hash();
    const places = () => page.locator('.forces .handle').evaluateAll(all => all.map(one => one.getAttribute('cx')));
    const first = await places();
    const { x, y } = (await page.locator('.forces .handle').first().boundingBox())!;
    const finger = (kind: string, by: number) =>
      page.evaluate(
        ([kind, x, y]) => {
          const at = kind === 'pointerdown' ? document.querySelector('.forces .grip')! : document.documentElement;
          at.dispatchEvent(
            new PointerEvent(kind, { pointerId: 5, pointerType: 'touch', clientX: x, clientY: y, bubbles: true }),
          );
        },
        [kind, x + by, y + 5] as const,
      );
    await finger('pointerdown', 5);
    await finger('pointermove', -150);
    expect(await hash()).toContain('scores=');
    await finger('pointercancel', -150);
    expect(await hash()).toBe(before);
    await expect.poll(places).toEqual(first);
    await finger('pointermove', -200);
    await handled();
    expect(await hash()).toBe(before);
    expect(await places()).toEqual(first);
  });

  it('moves nothing by the right button of the mouse', async () => {
    await show('#/forces?data=data.txt&model=run%2Fruns%2Fa&query=2', /would do to query 2/);
    await page.locator('.forces .handle').first().waitFor();
    const before = await hash();
    const { x, y } = (await page.locator('.forces .handle').first().boundingBox())!;
    await page.mouse.move(x + 3, y + 3);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(x - 200, y + 5, { steps: 4 });
    await page.mouse.up({ button: 'right' });
    await handled();
    expect(await hash()).toBe(before);
  });

  it('has a longest arrow that is seen beside its dot on a telephone', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const query of [1, 2, 3, 4, 5]) {
      await show(`#/forces?data=data.txt&query=${query}`, new RegExp(`would do to query ${query}`));
      await page.locator('.forces .handle').first().waitFor();
      const longest = await page
        .locator('.forces [aria-label="arrow"] path')
        .evaluateAll(all => Math.max(...all.map(one => one.getBoundingClientRect().width)));
      expect(longest, `query ${query}`).toBeGreaterThan(24);
    }
    await page.setViewportSize({ width: 1100, height: 900 });
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
    await page.locator(PICTURE).first().waitFor();
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
});
