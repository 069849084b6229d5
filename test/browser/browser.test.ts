/** `listwise/browser` bundled as an application would, in a real browser: the same scores as in Node, to the bit. */
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRanker, engine, loadModel, scorer } from '#listwise/browser/index.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { NetModel } from '#listwise/models/net/net.js';
import type { Ranker } from '#listwise/models/ranker.js';
import { openBrowser, reason, withoutBrowser } from '../chromium.js';
import { type EnsembleShape, randomEnsemble, randomRows } from '../models/random-trees.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shape: EnsembleShape = { features: 5, leaves: [1, 8, 31, 64, 300], grid: 40, skew: 0.2, zeroMissing: 0.2 };
const names = ['1', '2', '3', '4', '5'];
const standardise = { mean: [0.1, 0.2, 0.3, -1, 7], scale: [1, 2, 3, 0.1, 0.7] };
const models: Record<string, Ranker> = {
  trees: randomEnsemble(3, shape),
  'trees with 32-bit sums': randomEnsemble(4, { ...shape, sums: 'float32' }),
  linear: new LinearModel({ featureNames: names, weights: [0.3, -1.7, 2.1, 0.01, 9], bias: 0.7, standardise }),
  ...Object.fromEntries(
    (['tanh', 'sigmoid', 'relu'] as const).map(activation => [
      `net of ${activation}`,
      new NetModel({
        featureNames: names,
        hidden: [4, 3],
        activation,
        standardise,
        parameters: Array.from({ length: 5 * 4 + 4 + 4 * 3 + 3 + 3 + 1 }, (_, i) => Math.sin(7 * i)),
      }),
    ]),
  ),
};
const DOCUMENTS = 1500;
const rows = randomRows(5, DOCUMENTS, shape, 0.1);

/** What the pages run. */
const PAGE_SCRIPT = `
  import { createRanker, engine, loadModel, scorer } from 'listwise/browser';
  globalThis.scoreAll = async (files, values, documents, options) => {
    const scores = [];
    for (const file of files) {
      const { score } = scorer(await loadModel(JSON.parse(file), options));
      score(new Float32Array(values), documents);
      scores.push([...score(new Float32Array(values), documents)]);
    }
    return { engine: engine(), shared: typeof SharedArrayBuffer, scores };
  };
  globalThis.rankAll = async (files, documents) => {
    const lists = [];
    for (const file of files) lists.push(createRanker(await loadModel(file)).rank(documents, { why: 2 }));
    return lists.map(list => list.map(({ document, score, why }) => ({ id: document.id, score, why })));
  };
  globalThis.refusal = file => loadModel(file).then(() => 'none', error => error.message);
`;

describe('the sub-path listwise/browser', () => {
  it('needs nothing of Node', async () => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: ['dist/browser/index.js'],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
    });
    const imports = Object.values(metafile.inputs).flatMap(input => input.imports.map(({ path }) => path));
    expect(imports.filter(path => path.startsWith('node:') || builtinModules.includes(path))).toEqual([]);
  });

  it('scores in Node, too, and refuses what was changed', async () => {
    for (const model of Object.values(models)) {
      const { score } = scorer(await loadModel(printModel(model)));
      const expected = new Float64Array(DOCUMENTS);
      model.scoreRows(rows, DOCUMENTS, expected);
      expect(score(rows, DOCUMENTS)).toEqual(expected);
    }
    expect(engine()).toBe('webassembly');
    const text = printModel(models.linear!).replace('0.3', '0.4');
    await expect(loadModel(text)).rejects.toMatchObject({ code: 'model-invalid' });
    expect((await loadModel(text, { verify: false })).kind).toBe('linear');
  });
});

describe.skipIf(withoutBrowser)(`scoring in Chromium${reason}`, () => {
  let browser: Browser;
  let script: string;

  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: PAGE_SCRIPT, resolveDir: root },
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      minify: true,
    });
    script = outputFiles[0]!.text;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** A page of its own with the script, on a host that counts as secure or on one that does not. */
  async function open(host = 'localhost', policy = '', before = '') {
    const page = await browser.newPage();
    const body = `<!doctype html><script>${before}</script><script>${script}</script>`;
    const headers: Record<string, string> = policy === '' ? {} : { 'Content-Security-Policy': policy };
    await page.route('**/*', route => route.fulfill({ contentType: 'text/html', body, headers }));
    await page.goto(`http://${host}/`);
    return page;
  }

  const call = (name: string, ...args: unknown[]) => `${name}(${args.map(literal).join(', ')})`;
  const files = Object.values(models).map(printModel);

  it.each([
    ['WebAssembly', 'webassembly', '', ''],
    ['no WebAssembly', 'javascript', '', 'delete globalThis.WebAssembly'],
    ['no vectors in WebAssembly', 'javascript', '', 'WebAssembly.validate = () => false'],
    ['a policy that forbids compiling', 'javascript', "script-src 'unsafe-inline'", ''],
  ])('gives the scores of Node with %s', async (_, expectedEngine, policy, before) => {
    const page = await open('localhost', policy, before);
    const found: { engine: string; shared: string; scores: number[][] } = await page.evaluate(
      call('scoreAll', files, [...rows], DOCUMENTS, {}),
    );
    expect(found.engine).toBe(expectedEngine);
    expect(found.shared).toBe('undefined'); // an ordinary page has no memory that threads share
    for (const [m, model] of Object.values(models).entries()) {
      const expected = new Float64Array(DOCUMENTS);
      model.scoreRows(rows, DOCUMENTS, expected);
      expect(Float64Array.from(found.scores[m]!)).toEqual(expected);
    }
    await page.close();
  });

  it('ranks documents by name as Node does, and says why', async () => {
    const documents = Array.from({ length: 30 }, (_, i) => ({
      id: i,
      features: Object.fromEntries(names.map((name, f) => [name, (i + f) % 4 === 0 ? null : Math.sin(i * 31 + f)])),
    }));
    const page = await open();
    const found: unknown[] = await page.evaluate(
      call('rankAll', files, 0).replace(/0\)$/, `${JSON.stringify(documents)})`),
    );
    for (const [m, model] of Object.values(models).entries()) {
      const expected = createRanker(model).rank(documents, { why: 2 });
      expect(found[m]).toEqual(expected.map(({ document, score, why }) => ({ id: document.id, score, why })));
    }
    await page.close();
  });

  it('refuses what was changed on a page that is not secure, too, and loads without a checksum when asked to', async () => {
    const page = await open('example.test');
    expect(await page.evaluate(call('refusal', files[0]))).toBe('none');
    expect(await page.evaluate(call('refusal', files[2]!.replace('0.3', '0.4')))).toContain('damaged or changed');
    expect(await page.evaluate(call('scoreAll', files, [...rows], DOCUMENTS, { verify: false }))).toHaveProperty(
      'engine',
      'webassembly',
    );
    await page.close();
  });
});

/** JavaScript's own notation: JSON has no NaN and no minus zero. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  return JSON.stringify(value);
}
