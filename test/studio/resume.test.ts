/** A training that was killed goes on from the studio, and comes to the model that it would have come to. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, expect, it, vi } from 'vitest';
import { openBrowser, reason, withoutBrowser } from '../chromium.js';
import { run } from '../cli/run.js';
import { temporaryDirectory } from '../temporary.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const started: ChildProcess[] = [];
let browser: Browser | undefined;
afterAll(async () => {
  await browser?.close();
  for (const child of started) child.kill('SIGKILL');
});

function start(cwd: string, words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [main, ...words], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  return child;
}

/** A training that was killed after its first checkpoint, and before its end: one that came to it has more to do. */
async function killedHalfway(cwd: string, trees: number): Promise<readonly string[]> {
  const train = `train data.txt --set trees=${trees} --set patience=0 --threads 1 --quiet`.split(' ');
  const killed = start(cwd, [...train, '--dir', 'runs/killed', '--force']);
  const ended = once(killed, 'close');
  await vi.waitFor(() => expect(existsSync(join(cwd, 'runs/killed/checkpoint'))).toBe(true), 60_000);
  killed.kill('SIGKILL');
  await ended;
  return existsSync(join(cwd, 'runs/killed/model.json')) ? killedHalfway(cwd, 2 * trees) : train;
}

it.skipIf(withoutBrowser)(
  `a killed training is resumed in the browser, and gives the same model${reason}`,
  async () => {
    const cwd = temporaryDirectory();
    const file = (name: string) => join(cwd, name);
    await run('generate cubic --queries 60 --docs 12 --features 6 --out data.txt --quiet'.split(' '), { cwd });
    const train = await killedHalfway(cwd, 4000);
    expect(existsSync(file('runs/killed/checkpoint'))).toBe(true);
    expect(existsSync(file('runs/killed/model.json'))).toBe(false);
    const [text] = (await once(start(cwd, ['studio', 'runs', '--json']).stdout!, 'data')) as [Buffer];
    const { url } = JSON.parse(text.toString()) as { url: string };
    browser = await openBrowser();
    const page = await browser.newPage();
    await page.goto(url);
    await page.goto(`${new URL(url).origin}/#/run/runs/killed`);
    await page.locator('.verdict', { hasText: 'is dead' }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    // The curve goes on, unless the rest was done before anybody looked.
    await page.locator('.verdict', { hasText: /is running, after|finished/ }).waitFor();
    await page.locator('.verdict', { hasText: 'finished' }).waitFor({ timeout: 100_000 });
    // What was said of it while it went on is not said of one that has ended.
    await page.waitForFunction(() => !document.body.textContent!.includes('goes on in a process of its own'));
    const whole = await run([...train, '--dir', 'runs/whole'], { cwd });
    expect(whole.code).toBe(0);
    const model = (name: string) => readFileSync(file(`runs/${name}/model.json`), 'utf8');
    expect(model('killed')).toBe(model('whole'));
  },
  180_000,
);
