/** Commands that write run folders in processes of their own, watched in the studio. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type Studio } from '#listwise/studio/server.js';
import { reason, withoutBrowser } from '../chromium.js';
import { run } from '../cli/run.js';
import { temporaryDirectory } from '../temporary.js';
import { visit } from './open.js';
import { openPage, type StudioPage } from './page.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

describe.skipIf(withoutBrowser)(`while it goes on in another process${reason}`, () => {
  const cwd = temporaryDirectory();
  const started: ChildProcess[] = [];
  let studio: Studio;
  let opened: StudioPage;

  beforeAll(async () => {
    await run('generate cubic --queries 30 --docs 10 --features 5 --out data.txt --quiet'.split(' '), { cwd });
    await run('train data.txt --set trees=2 --dir runs/first --quiet'.split(' '), { cwd });
    studio = await openStudio({ folders: [join(cwd, 'runs')], data: [], models: [], every: 50 });
    opened = await openPage({ studio, ...(await visit(studio)) });
  }, 60_000);
  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL');
    await opened?.browser.close();
    await studio?.close();
  });

  /** Begins it, and opens its page from the list of runs, where it has come by itself. */
  async function begin(name: string, words: string): Promise<void> {
    await opened.show('#/runs', /runs?,/);
    const all = [...words.split(' '), '--threads', '1', '--dir', `runs/${name}`, '--quiet'];
    started.push(spawn(process.execPath, [main, ...all], { cwd, stdio: 'ignore' }));
    await opened.page.getByRole('link', { name, exact: true }).click({ timeout: 60_000 });
  }

  const verdict = (text: RegExp) => opened.page.locator('.verdict', { hasText: text }).waitFor({ timeout: 60_000 });
  const moved = async () => {
    const text = await opened.page.locator('.verdict').textContent();
    await opened.page.waitForFunction(before => document.querySelector('.verdict')!.textContent !== before, text, {
      timeout: 60_000,
    });
  };

  // Each would take minutes: nobody who looks late finds it at its end.
  it.each([
    ['train', 'iterations?', 'train data.txt --set trees=1000000 --set patience=0'],
    ['cv', 'folds?', 'cv data.txt --folds 30 --set trees=8000 --set patience=0'],
    ['tune', 'trials?', 'tune data.txt --trials 5000 --folds 2 --set trees=60'],
    ['steps', 'steps?', 'reproduce yilmaz-2010-figures-4-5 --scale small'],
  ])(
    '%s moves',
    async (name, unit, words) => {
      await begin(name, words);
      await verdict(new RegExp(`is running, after [1-9][0-9,]* ${unit}`));
      await opened.page.locator('.stage > svg:first-child').first().waitFor();
      await moved();
      started.pop()!.kill('SIGKILL');
      await verdict(/is dead/);
      expect(opened.complaints).toEqual([]);
    },
    300_000,
  );

  it('reproduce shows what it found', async () => {
    await begin('reproduce', 'reproduce burges-2006-figure-2 --scale tiny');
    await opened.page.locator('figcaption', { hasText: 'Seconds by step' }).waitFor({ timeout: 60_000 });
    await verdict(/\(reproduce, finished\): Of \d+ findings/);
    await opened.page.locator('h2', { hasText: 'Findings' }).waitFor();
    await opened.page.locator('h2', { hasText: 'The paper’s values beside ours' }).waitFor();
    expect(opened.complaints).toEqual([]);
  }, 120_000);
});
