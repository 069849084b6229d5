/** The studio from outside: who may look, at what, and what a browser shows of it. */
import { appendFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type Studio } from '#listwise/studio/server.js';
import { run } from '../cli/run.js';
import { openBrowser, reason, withoutBrowser } from '../report/viewer/browser.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();
const file = (name: string) => join(directory, name);
const nasty = '<img src=x onerror=alert(1)>';
let studio: Studio;
let base: string;
let cookie: string;

beforeAll(async () => {
  const cli = async (words: string) => {
    const { code, stderr } = await run([...words.split(' '), '--quiet', '--threads', '1'], { cwd: directory });
    if (code !== 0) throw new Error(stderr);
  };
  await cli('generate cubic --queries 20 --docs 8 --features 4 --out data.txt');
  await cli('train data.txt --dir runs/a --set trees=4');
  await cli('train data.txt --dir runs/b --model linear --set epochs=3');
  cpSync(file('runs/a'), file(`runs/${nasty.replaceAll('/', '')}`), { recursive: true });
  mkdirSync(file('secret'));
  cpSync(file('runs/a'), file('secret/c'), { recursive: true });
  symlinkSync(file('secret/c'), file('runs/linked'));
  mkdirSync(file('runs/leak'));
  cpSync(file('runs/a/run.json'), file('runs/leak/run.json'));
  writeFileSync(file('secret/report.html'), 'secret');
  symlinkSync(file('secret/report.html'), file('runs/leak/report.html'));
  studio = await openStudio({ folders: [file('runs')], data: [file('data.txt')], models: [], every: 50 });
  base = new URL(studio.url).origin;
  const first = await fetch(studio.url, { redirect: 'manual' });
  cookie = first.headers.get('set-cookie')!.split(';')[0]!;
}, 60_000);

afterAll(() => studio?.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(base + path, { headers: { cookie, ...headers } });
const json = async (path: string) => (await get(`/api/${path}`)).json();
const post = (path: string, body: unknown) =>
  fetch(`${base}/api/${path}`, { method: 'POST', headers: { cookie }, body: JSON.stringify(body) });

/** fetch sets the host itself. */
function statusWith(headers: Record<string, string>): Promise<number | undefined> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: '/', headers }, response => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('who may look', () => {
  it('is whoever has the token, and nobody else', async () => {
    expect((await fetch(base)).status).toBe(401);
    expect((await fetch(`${base}/?token=wrong`)).status).toBe(401);
    expect((await fetch(`${base}/api/overview`)).status).toBe(401);
    expect((await get('/')).status).toBe(200);
    expect(cookie).toMatch(/^listwise=.{32}$/);
  });

  it('is no page from elsewhere, whatever it knows', async () => {
    const { host } = new URL(base);
    expect(await statusWith({ host, cookie })).toBe(200);
    expect(await statusWith({ host: 'evil.example', cookie })).toBe(403);
    expect(await statusWith({ host, cookie, origin: 'http://evil.example' })).toBe(403);
    expect(await statusWith({ host, cookie, origin: base })).toBe(200);
  });

  it('runs no script but ours', async () => {
    const policy = (await get('/')).headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  });
});

describe('what can be looked at', () => {
  it('is the runs right below the folders, no links out of them', async () => {
    const { runs } = (await json('overview')) as { runs: { id: string }[] };
    expect(runs.map(({ id }) => id).sort()).toEqual(['0/<img src=x onerror=alert(1)>', '0/a', '0/b', '0/leak']);
  });

  it.each([
    'run/0/..%2Fsecret%2Fc',
    'run/0/../secret/c',
    'run/0/linked',
    'run/1/a',
    'data/..%2Fdata.txt',
    'data/d7',
    'query/d0/nosuch?model=run/0/a&model=run/0/b',
    'queries/d0?model=%2Fetc%2Fpasswd',
    'nothing',
    'constructor',
    '__proto__/x',
    '%E0%A4%A',
  ])('is not %s', async path => {
    const response = await get(`/api/${path}`);
    expect([400, 404]).toContain(response.status);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: expect.any(String) } });
    expect(text).not.toContain(directory);
  });

  it('is a report, in a sandbox, and none that a link leads to', async () => {
    const report = await get('/report/0/a');
    expect(report.headers.get('content-security-policy')).toBe('sandbox allow-scripts allow-downloads');
    expect(await report.text()).toBe(readFileSync(file('runs/a/report.html'), 'utf8'));
    const leak = await get('/report/0/leak');
    expect(leak.status).toBe(404);
    expect(await leak.text()).not.toContain('secret');
  });

  it('keeps stars and notes', async () => {
    expect((await post('mark/0/a', { star: true, note: 'the good one' })).status).toBe(200);
    expect((await post('mark/0/nosuch', { star: true, note: '' })).status).toBe(404);
    expect((await post('mark/0/a', { star: 'yes' })).status).toBe(400);
    const { runs } = (await json('overview')) as { runs: { id: string; mark: unknown }[] };
    expect(runs.find(({ id }) => id === '0/a')!.mark).toEqual({ star: true, note: 'the good one' });
  });

  it('are lambdas at any scores, which sum to zero for pairs', async () => {
    const scores = Array.from({ length: 8 }, (_, i) => Math.sin(i));
    const answer = await post('lambdas/d0/1', { objective: 'ranknet', scores });
    const { lambdas } = (await answer.json()) as { lambdas: number[] };
    expect(lambdas).toHaveLength(8);
    expect(lambdas.reduce((sum, lambda) => sum + lambda, 0)).toBeCloseTo(0, 9);
    expect(Math.max(...lambdas)).toBeGreaterThan(0);
    expect((await post('lambdas/d0/1', { objective: 'ranknet', scores: [1] })).status).toBe(400);
    expect((await post('lambdas/d0/1', { objective: 'nosuch', scores })).status).toBe(400);
  });
});

describe.skipIf(withoutBrowser)(`the studio in a browser${reason}`, () => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    page.on('console', message => complaints.push(message.text()));
    page.on('pageerror', error => complaints.push(error.message));
    page.on('dialog', dialog => complaints.push(dialog.message()));
    page.on('request', asked => {
      if (!asked.url().startsWith(base) && !/^(data|blob):/.test(asked.url())) complaints.push(asked.url());
    });
    await page.goto(studio.url);
  }, 60_000);
  afterAll(() => browser?.close());

  const open = async (hash: string, verdict: RegExp) => {
    await page.goto(`${base}/${hash}`);
    await page.locator('.verdict', { hasText: verdict }).waitFor();
  };
  const two = 'model=run%2F0%2Fa&model=run%2F0%2Fb';

  it.each([
    ['#/run/0/a', /ndcg@10/, 1],
    ['#/compare?run=0%2Fa&run=0%2Fb', /options differ/, 1],
    [`#/queries?data=d0&measure=ap&${two}`, /From a to b, ap/, 2],
    [`#/query/d0/3?${two}`, /^Query 3/, 2],
    ['#/data/d0', /20 queries/, 3],
  ])('draws %s', async (hash, verdict, charts) => {
    await open(hash, verdict);
    await page.waitForFunction(least => document.querySelectorAll('.stage > svg:first-child').length >= least, charts);
    expect(complaints).toEqual([]);
    expect(await page.locator('.command pre').first().textContent()).toMatch(/^listwise /);
  });

  it('lists runs, names with HTML in them as text; filters them, and compares those that are chosen', async () => {
    await open('#/runs', /4 runs/);
    expect(await page.locator('td a', { hasText: nasty.replaceAll('/', '') }).count()).toBe(1);
    await page.getByLabel('Filter runs').fill('linear');
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.getByLabel('Filter runs').fill('');
    await page.getByLabel('Choose a', { exact: true }).check();
    await page.getByLabel('Choose b', { exact: true }).check();
    await page.getByRole('link', { name: 'Compare 2 runs' }).click();
    await page.locator('.verdict', { hasText: 'options differ' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('follows a run while it is written', async () => {
    await open('#/run/0/b', /finished/);
    const record = JSON.parse(readFileSync(file('runs/b/run.json'), 'utf8')) as Record<string, unknown>;
    const { pid } = process;
    const { hostname } = await import('node:os');
    writeFileSync(
      file('runs/b/run.json'),
      JSON.stringify({ ...record, status: 'running', process: { pid, host: hostname() } }),
    );
    writeFileSync(file('runs/b/heartbeat'), '');
    const points = () => page.locator('.stage svg circle').count();
    await page.locator('.stage svg').first().waitFor();
    const before = await points();
    appendFileSync(file('runs/b/log.jsonl'), `${JSON.stringify({ iteration: 4, validation: [0.9] })}\n`);
    await page.waitForFunction(many => document.querySelectorAll('.stage svg circle').length > many, before);
    expect(complaints).toEqual([]);
  });

  it('pushes documents when one is dragged', async () => {
    await open('#/forces?data=d0&model=run%2F0%2Fa&query=2', /would do to query 2/);
    const labels = () => page.locator('.forces text').allTextContents();
    await page.locator('.note', { hasText: 'with a lambda' }).waitFor();
    const before = await labels();
    const box = (await page.locator('.forces .handle').first().boundingBox())!;
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x - 500, box.y + 5, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(text => document.querySelector('.forces text')!.textContent !== text, before[0]!);
    expect(complaints).toEqual([]);
  });

  it('fits a telephone', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const [hash, verdict] of [
      ['#/runs', /runs/],
      [`#/query/d0/3?${two}`, /^Query 3/],
      ['#/forces?data=d0&query=2', /query 2/],
    ] as const) {
      await open(hash, verdict);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), hash).toBeLessThanOrEqual(390);
    }
  });
});
