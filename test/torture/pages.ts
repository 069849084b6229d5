/** Hostile names on report pages in a browser: no script of theirs runs, nothing is asked for, nothing is missing. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import type { Random } from '#listwise/numeric/random.js';
import { run } from '../cli/run.js';
import { openBrowser, openPage, withoutBrowser } from '../report/viewer/browser.js';
import type { Area } from './area.js';

const PIECES = [
  '<script>window.hit=1</script>',
  '"><img src=x onerror=window.hit=1>',
  "');window.hit=1;//",
  '</script><script>window.hit=1</script>',
  '<svg onload=window.hit=1>',
  'javascript:window.hit=1',
  '\u0024{window.hit=1}',
  '{{constructor.constructor("window.hit=1")()}}',
  '<!--',
  ']]>',
  '&lt;b&gt;',
  '\u2028',
  '\u202e',
  '\u0000\u001b[31m',
  '__proto__',
  'constructor',
  'toString',
  '=1+1',
  '<style>*{display:none}</style>',
  '<base href=http://localhost:9/>',
  '<meta http-equiv=refresh content="0;url=http://localhost:9/">',
  '%3Cscript%3E',
  '\\u003cscript\\u003e',
  'é\ud83d\ude00',
];

const name = (random: Random, i: number) =>
  `${PIECES[random.below(PIECES.length)]}${random.below(3) === 0 ? PIECES[random.below(PIECES.length)] : ''}${i}`;

const COMMANDS: readonly ((file: string) => string[])[] = [
  file => ['inspect', file],
  file => ['train', file, '--set', 'trees=3', '--set', 'min-documents=2', '--out', 'model.json', '--force'],
  file => ['train', file, '--model', 'linear', '--set', 'epochs=3', '--out', 'model.json', '--force'],
  file => ['evaluate', 'model.json', file, '-m', 'ndcg@5,ap'],
  file => ['analyse', 'importance', 'model.json', file, '--repeats', '2'],
  file => ['analyse', 'shap', 'model.json', file],
  file => ['analyse', 'queries', file, '--system', 'a<b>=model.json'],
];

/** JSON lines: names of every kind can be written in them. */
function writeHostile(file: string, random: Random): void {
  const features = Array.from({ length: 4 }, (_, i) => name(random, i));
  const queries = Array.from({ length: 6 }, (_, i) => name(random, i));
  const lines = queries.flatMap((qid, q) =>
    Array.from({ length: 5 }, (_, d) =>
      JSON.stringify({
        qid,
        label: (q + d) % 3,
        docid: name(random, d),
        ...Object.fromEntries(features.map(feature => [feature, random.uniform()])),
      }),
    ),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
}

export const pages: readonly Area[] = [
  {
    name: 'hostile names on pages',
    unit: 'page',
    share: 1,
    batch: 8,
    missing: () => (withoutBrowser ? 'no Chromium or Chrome is installed' : undefined),
    async open(folder, work) {
      const browser = await openBrowser();
      try {
        await work(random => visit(browser, folder, random));
      } finally {
        await browser.close();
      }
    },
  },
];

async function visit(browser: Browser, folder: string, random: Random): Promise<number> {
  const file = `data ${name(random, 1).replaceAll(/[\0/]/g, '')}.jsonl`.slice(0, 80);
  writeHostile(join(folder, file), random);
  const report = join(folder, 'page.html');
  const chosen = random.below(COMMANDS.length);
  const trained = chosen > 2 ? [COMMANDS[1]!(file)] : [];
  for (const args of [...trained, [...COMMANDS[chosen]!(file), '--report', report]]) {
    const { code, stderr } = await run([...args, '--quiet'], { cwd: folder });
    if (code === 2) return 0; // refused: no page
    equal(code, 0, stderr);
  }
  const { page, complaints } = await openPage(browser, pathToFileURL(report).href, 0); // how long to wait is up to who waits for all
  for (const element of (await page.$$('button, summary, th')).slice(0, 12)) {
    await element.click({ timeout: 2000 }).catch(() => {}); // what cannot be seen cannot be clicked
  }
  await page.mouse.move(400, 400);
  const hit = await page.evaluate(() => 'hit' in window);
  await page.close();
  deepStrictEqual({ hit, complaints }, { hit: false, complaints: [] });
  return 1;
}
