/** The page of docs/browser.md in a browser, and its types without those of Node. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { rank } from '#listwise/models/rank.js';
import { train } from '#listwise/training/train.js';
import { openBrowser, reason, withoutBrowser } from '../chromium.js';
import { temporaryDirectory } from '../temporary.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(root, 'docs/browser.md'), 'utf8');
const block = (language: string) => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(text)![1]!;
const script = block('ts');

it('compiles without the types of Node', () => {
  const directory = temporaryDirectory();
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2023', 'DOM'],
    types: [],
    module: 'ESNext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    paths: { 'listwise/browser': [join(root, 'dist/browser/index.d.ts')] },
  };
  writeFileSync(join(directory, 'search.ts'), script);
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['search.ts'] }));
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const said = () => {
    try {
      return execFileSync(process.execPath, [join(dirname(manifest), 'bin/tsc'), '-p', directory], {
        encoding: 'utf8',
      });
    } catch (error) {
      return String((error as { stdout?: string }).stdout ?? error);
    }
  };
  expect(said()).toBe('');
}, 60_000);

describe.skipIf(withoutBrowser)(`the page of docs/browser.md${reason}`, () => {
  it('ranks as Node does', async () => {
    const data = await readDataset(join(root, 'docs/examples/products.csv'));
    const { model } = await train({ model: 'linear', data, holdout: 0, seed: 1, options: { epochs: 5 } });
    const { outputFiles } = await build({
      stdin: { contents: script, loader: 'ts', resolveDir: root },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
    });
    const files: Record<string, { contentType: string; body: string }> = {
      '/': { contentType: 'text/html', body: block('html') },
      '/search.js': { contentType: 'text/javascript', body: outputFiles[0]!.text },
      '/model.json': { contentType: 'application/json', body: JSON.stringify(model) },
    };
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const errors: Error[] = [];
      page.on('pageerror', error => errors.push(error));
      await page.route('**/*', route => {
        const file = files[new URL(route.request().url()).pathname];
        return file === undefined ? route.fulfill({ status: 404, body: '' }) : route.fulfill(file);
      });
      await page.goto('http://localhost/');
      const items = page.locator('#results li');
      await items.nth(2).waitFor();
      const expected = rank(model, [
        { title: 'Running shoes', features: { bm25: 11.2, pagerank: 0.12, fresh: true } },
        { title: 'Hiking shoes', features: { bm25: 12.5, pagerank: 0.31, fresh: true } },
        { title: 'Shoe polish', features: { bm25: 3.25, fresh: false } },
      ]).map(({ document: { title }, score }) => `${title}: ${score.toFixed(3)}`);
      expect(await items.allTextContents()).toEqual(expected);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
