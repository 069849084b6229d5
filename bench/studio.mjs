// npm run bench -- studio [--dir DIR]
// `listwise studio` over 1,000 runs, 100,000 documents of 10,000 queries (46 features) and two models of 100 trees, in
// Chromium. First views: milliseconds from the start of the navigation to rows on the screen (and until all of it
// stands there), each in a studio that has printed its address a second before; the same for the two largest at once;
// and again, once the studio has answered them. Interactions:
// milliseconds from the key or click to the screen that answers it. --dir keeps the files for the next time.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const options = ['dir'];

const RUNS = 1000;
const ASKED = { view: 1000, interaction: 100 };
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/google-chrome'];

function listwise(folder, words) {
  return new Promise((resolve, reject) => {
    const run = spawn(process.execPath, [main, ...words.split(' '), '--quiet'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    run.on('close', code => (code === 0 ? resolve() : reject(new Error(`${words} ended with code ${code}`))));
  });
}

export async function prepare({ dir }) {
  const folder = dir ?? mkdtempSync(join(tmpdir(), 'listwise-studio-'));
  if (dir === undefined) process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  if (existsSync(join(folder, 'runs'))) return { folder };
  mkdirSync(folder, { recursive: true });
  const shape = '--docs 10 --docs-fixed --features 46 --flips 0.1';
  await listwise(folder, `generate cubic --queries 10000 ${shape} --out data.txt`);
  await listwise(folder, `generate cubic --queries 10000 ${shape} --skip 10000 --out other.txt`);
  await listwise(folder, 'train data.txt --out a.json --set trees=100 --set leaves=31 --set patience=0 --dir first');
  await listwise(folder, 'train data.txt --out b.json --set trees=100 --set leaves=7 --set patience=0');
  const record = JSON.parse(readFileSync(join(folder, 'first/run.json'), 'utf8'));
  for (let i = 0; i < RUNS; i++) {
    const copy = join(folder, `runs/run-${i}`);
    cpSync(join(folder, 'first'), copy, { recursive: true });
    const started = new Date(Date.parse(record.times.started) + i * 60_000).toISOString();
    const options = { ...record.options, objective: i % 3 === 0 ? 'lambdarank(ap)' : record.options.objective };
    writeFileSync(
      join(copy, 'run.json'),
      JSON.stringify({ ...record, options, seed: i, times: { ...record.times, started } }),
    );
  }
  return { folder };
}

/** Rows of data, or whatever a person came for: beyond the frame of the page. */
const views = {
  runs: ['#/runs', '.verdict ~ .bar ~ figure tbody tr'],
  run: ['#/run/runs/run-7', '.stage > svg'],
  compare: ['#/compare?run=runs%2Frun-7&run=runs%2Frun-9', '.stage > svg'],
  queries: ['#/queries?data=data.txt&model=a.json&model=b.json', 'main table tbody tr'],
  query: ['#/query/data.txt/5000?model=a.json&model=b.json', 'main table tbody tr'],
  document: ['#/document/data.txt/5000/49993?model=a.json', 'main table tbody tr'],
  forces: ['#/forces?data=data.txt&model=a.json&query=5000', '.forces .handle'],
  data: ['#/data/data.txt', 'main table tbody tr'],
  try: ['#/try', 'main .form'],
};

async function open({ folder }) {
  const words = [
    'studio',
    'runs',
    '--data',
    'data.txt',
    '--data',
    'other.txt',
    '--model',
    'a.json',
    '--model',
    'b.json',
  ];
  const child = spawn(process.execPath, [main, ...words, '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const text = await new Promise(resolve => child.stdout.once('data', resolve));
  const { url } = JSON.parse(text);
  const ended = new Promise(resolve => child.on('close', resolve));
  const close = () => {
    child.kill('SIGINT');
    return ended;
  };
  return { url, close };
}

/** In the page: waits until all selectors are on the screen, and says when. */
function shown(selectors) {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (performance.now() > 30_000) return reject(new Error(`${selectors}: ${document.body.textContent}`));
      if (!selectors.every(selector => document.querySelector(selector) !== null)) return requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    look();
  });
}

/** Nothing is under way any more. */
const STILL = ['main:not([aria-busy]):not(:has([aria-busy]))'];

async function firstView(browser, url, [hash, rows]) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const page = await context.newPage();
  // The token becomes a cookie; the view is then opened as anybody would.
  await page.goto(url, { waitUntil: 'commit' });
  await page.goto('about:blank');
  await page.goto(`${new URL(url).origin}/${hash}`, { waitUntil: 'commit' });
  const first = await page.evaluate(shown, [rows]);
  const whole = await page.evaluate(shown, STILL);
  await context.close();
  return { first, whole };
}

/** Each is named on stderr as it comes. */
function figures() {
  return new Proxy(
    {},
    {
      set(target, name, ms) {
        process.stderr.write(`${name}: ${ms.toFixed(0)} ms\n`);
        target[name] = ms;
        return true;
      },
    },
  );
}

async function measured(context) {
  const found = figures();
  const browser = await chromium.launch({
    executablePath: BROWSERS.find(place => existsSync(place)),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  // The browser's own start belongs to nobody.
  await (await browser.newPage()).goto('about:blank');
  const cold = async (name, view, wait) => {
    const studio = await open(context);
    await new Promise(resolve => setTimeout(resolve, wait));
    const { first, whole } = await firstView(browser, studio.url, view);
    Object.assign(found, { [`${name}: first`]: first, [`${name}: whole`]: whole });
    await studio.close();
  };
  for (const [name, view] of Object.entries(views)) await cold(name, view, 1000);
  for (const name of ['queries', 'data']) await cold(`${name}, at once`, views[name], 0);
  const studio = await open(context);
  for (const [name, view] of Object.entries(views)) {
    await firstView(browser, studio.url, view);
    const { first, whole } = await firstView(browser, studio.url, view);
    Object.assign(found, { [`${name}: first, again`]: first, [`${name}: whole, again`]: whole });
  }
  Object.assign(found, await interactions(browser, studio.url));
  await studio.close();
  await browser.close();
  return found;
}

async function interactions(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const base = new URL(url).origin;
  await page.goto(url);
  const found = figures();
  const go = async ([hash, rows]) => {
    await page.goto(`${base}/${hash}`);
    await page.evaluate(shown, [rows, ...STILL]);
  };
  /**
   * From the key, or from the click (a button that is held down is not answered yet), to the end of the frame in which
   * `done` holds. The page looks at its own clock: the ways of what drives it are no part of that.
   */
  const time = async (name, act, done) => {
    await page.evaluate(done => {
      const holds = new Function(`return ${done}`);
      window.answered = new Promise((resolve, reject) => {
        const begin = () => {
          for (const type of ['keydown', 'click']) removeEventListener(type, begin, { capture: true });
          const begun = performance.now();
          const look = () => {
            if (performance.now() > begun + 10_000) reject(new Error(`never: ${done}`));
            else if (holds()) setTimeout(() => resolve(performance.now() - begun));
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        };
        for (const type of ['keydown', 'click']) addEventListener(type, begin, { capture: true });
      });
    }, done);
    await act();
    found[name] = await page.evaluate(() => window.answered);
  };
  const verdict = text => `document.querySelector('.verdict')?.textContent.includes(${JSON.stringify(text)})`;
  await go(views.runs);
  const filter = page.getByLabel('Filter runs');
  await filter.focus();
  await time('runs: a letter in the filter', () => page.keyboard.press('7'), verdict('are shown'));
  await time('runs: no filter', () => page.keyboard.press('Backspace'), `!${verdict('are shown')}`);
  await time(
    'runs: order',
    () => page.getByRole('columnheader').getByRole('button', { name: 'run', exact: true }).click(),
    `document.querySelector('tbody a').textContent === 'run-0'`,
  );
  await time(
    'runs: a star',
    () => page.getByLabel('Star run-0', { exact: true }).click(),
    `document.querySelector('tbody button').textContent === '★'`,
  );
  await page.getByLabel('Star run-0', { exact: true }).click();
  await time(
    'runs: one chosen',
    () => page.getByLabel('Choose run-1', { exact: true }).click(),
    `document.querySelector('tbody tr:nth-child(2) input').checked`,
  );
  await time(
    'runs: all shown',
    () => page.getByRole('button', { name: /^Show all/ }).click(),
    `document.querySelector('.more').hidden`,
  );
  await go(views.queries);
  const sorted = direction => `document.querySelector('th[aria-sort="${direction}"]') !== null`;
  const head = page.locator('table').first().getByRole('button', { name: 'documents' });
  await time('queries: sorted', () => head.click(), sorted('descending'));
  await time(
    'queries: sorted by id',
    () => page.locator('table').first().getByRole('button', { name: 'query' }).click(),
    sorted('ascending'),
  );
  await time(
    'queries: all shown',
    () =>
      page
        .getByRole('button', { name: /^Show all/ })
        .first()
        .click(),
    `document.querySelector('.more').hidden`,
  );
  await page.locator('table').first().getByRole('link').first().focus();
  await time(
    'queries: one opened',
    () => page.keyboard.press('Enter'),
    `location.hash.startsWith('#/query/') && !document.querySelector('main').ariaBusy && ${verdict('Query ')}`,
  );
  await go(views.query);
  // As soon as one can see which it is.
  await page.waitForSelector('a[aria-keyshortcuts="j"]');
  const next = `!${verdict('Query 5000,')} && ${verdict('Query ')}`;
  await time('query: the next', () => page.keyboard.press('j'), next);
  await page.evaluate(shown, STILL);
  await page.locator('main table td a').first().focus();
  await time('query: a document opened', () => page.keyboard.press('Enter'), verdict('Document '));
  await go(views.forces);
  await page.locator('.forces [role="slider"]').first().focus();
  const picture = `document.querySelector('.forces svg').outerHTML`;
  const before = await page.evaluate(picture);
  await time(
    'forces: a document moved',
    () => page.keyboard.press('ArrowRight'),
    `${picture} !== ${JSON.stringify(before)}`,
  );
  await time(
    'forces: a step',
    () => page.getByRole('button', { name: 'Step' }).click(),
    `${picture} !== ${JSON.stringify(await page.evaluate(picture))}`,
  );
  await go(['#/try?data=data.txt&model=linear', '.command pre']);
  await page.getByLabel('epochs').fill('7');
  await time(
    'try: an option changed',
    () => page.keyboard.press('Enter'),
    `document.querySelector('.command pre')?.textContent.includes('epochs=7')`,
  );
  await page.close();
  return found;
}

export function variants() {
  return { studio: { run: measured } };
}

export function* report({ studio }) {
  for (const [name, ms] of Object.entries(studio)) {
    if (name === 'peakBytes') continue;
    const asked = name.includes(': whole') ? undefined : name.includes(': first') ? ASKED.view : ASKED.interaction;
    const verdict = asked === undefined ? '' : ms <= asked ? `  (asked ${asked})` : `  (asked ${asked}: NOT MET)`;
    yield `${name.padEnd(32)} ${ms.toFixed(0).padStart(6)} ms${verdict}`;
  }
}
