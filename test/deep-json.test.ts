/** Lists nested deeper than a stack goes, at every place of every kind of JSON file: a coded error or a result. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ListwiseError } from '#listwise/errors.js';
import { exportModel, importModel } from '#listwise/interop/convert.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { parseModel } from '#listwise/models/model-file.js';
import { examples, run } from './cli/run.js';
import { trees } from './interop/damaged-models.js';
import { temporaryDirectory } from './temporary.js';

const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const MARK = '@deep@';
const linear = new LinearModel({ featureNames: ['1', '2'], weights: [0.5, -2], bias: 1 });

/** The text with each value in turn replaced by deep lists; of a list, the first and its elements' first. */
function deepened(text: string): string[] {
  const root = JSON.parse(text);
  const texts = [DEEP];
  const visit = (parent: Record<string, unknown>) => {
    const keys = Array.isArray(parent) ? Object.keys(parent).slice(0, 1) : Object.keys(parent);
    for (const key of keys) {
      const value = parent[key];
      parent[key] = MARK;
      texts.push(JSON.stringify(root).replace(`"${MARK}"`, DEEP));
      parent[key] = value;
      if (typeof value === 'object' && value !== null) visit(value as Record<string, unknown>);
    }
  };
  visit(root);
  return texts;
}

const recorded = (name: string) => readFileSync(new URL(`interop/recorded/${name}`, import.meta.url), 'utf8');
const written = (model: Parameters<typeof exportModel>[0], to: string) =>
  Buffer.from(exportModel(model, { to }).files[0]!.content).toString();

describe.each([
  ['listwise trees', () => written(trees, 'listwise')],
  ['listwise linear', () => written(linear, 'listwise')],
  ['XGBoost', () => recorded('xgboost-dart.json')],
  ["XGBoost's dump", () => recorded('xgboost-ndcg.dump.json')],
  ["LightGBM's dump", () => written(trees, 'lightgbm-dump')],
  ['CatBoost', () => written(trees, 'catboost')],
  ['Solr', () => written(trees, 'solr')],
  ['Elasticsearch', () => written(trees, 'elasticsearch')],
  ['linear weights', () => written(linear, 'linear')],
])('a model file, %s', (_, text) => {
  it('nested too deeply: a coded error or a model', () => {
    for (const deep of deepened(text())) {
      for (const read of [() => importModel(Buffer.from(deep), { file: 'file' }), () => parseModel(deep)]) {
        try {
          read();
        } catch (error) {
          expect(error, deep.slice(0, 200)).toBeInstanceOf(ListwiseError);
        }
      }
    }
  });
});

const folder = temporaryDirectory();
const FILE = join(folder, 'deep.json');
const example = (name: string) => readFileSync(join(examples, name), 'utf8');
const space = readFileSync(new URL('../configs/spaces/linear.json', import.meta.url), 'utf8');
const description = JSON.stringify({
  format: 'csv',
  roles: { query: 'qid', labels: { label: 'label' } },
  kinds: { a: 'number' },
  missing: ['-'],
  categories: { b: ['x', 'y'] },
});
const config = JSON.stringify({ model: 'linear', objective: 'ranknet', options: { epochs: 1 }, seed: 3 });
const request = JSON.stringify({ qid: '1', label: 1, docid: 'd', a: 1 });
const [log = ''] = example('engine/logs.json').split('\n');

it.each([
  ['a config', config, ['train', '--config', FILE, '--out', join(folder, 'model.json'), '--force', 'test.txt']],
  ['a search space', space, ['tune', 'test.txt', '--space', FILE, '--trials', '1']],
  ['a description of data', description, ['inspect', 'shop.csv', '--data-description', FILE]],
  ['a feature log', log, ['inspect', FILE, '--format', 'feature-log', '--judgments', 'engine/judgments.txt']],
  ['a set of features', example('engine/feature-set.json'), ['inspect', 'test.txt', '--features', FILE]],
  ['a line of JSON', request, ['inspect', FILE, '--format', 'jsonl']],
])('%s nested too deeply: a coded error or a result', async (_, text, args) => {
  for (const deep of deepened(text)) {
    writeFileSync(FILE, deep);
    const { code, stderr } = await run([...args, '--quiet']);
    expect(stderr, deep.slice(0, 200)).not.toMatch(/internal failure|^\s+at /m);
    expect(code === 0 || code === 2, `${code} ${stderr}`).toBe(true);
  }
});
