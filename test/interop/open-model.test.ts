/** Models of any format are used straight from their files; data is never taken for a model. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readSvmlight } from '#listwise/data/readers/svmlight/svmlight.js';
import { formats } from '#listwise/interop/all.js';
import { exportModel } from '#listwise/interop/convert.js';
import { inspectModel } from '#listwise/interop/inspect.js';
import { isModelFile, openModel } from '#listwise/interop/open-model.js';
import { memoryInput } from '#listwise/io/inputs.js';
import { parseModel } from '#listwise/models/model-file.js';
import { scoreData } from '#listwise/models/ranker.js';
import { withoutPipes } from '../platform.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();
const at = (name: string) => join(directory, name);
const recorded = (name: string) => fileURLToPath(new URL(`recorded/${name}`, import.meta.url));
const example = (name: string) => fileURLToPath(new URL(`../../docs/examples/${name}`, import.meta.url));
const native = {
  trees: parseModel(readFileSync(example('trees.json'), 'utf8')),
  linear: parseModel(readFileSync(example('linear.json'), 'utf8')),
};
const rows = [
  [0.9, 0.5, 0.1],
  [1.2, 0.98, 0],
  [0.2, 0.71, 3],
];

const readAndWritten = formats.filter(({ read, writes }) => read && writes);

const data = readSvmlight([memoryInput('text', Buffer.from('0 qid:1 1:1 2:1 3:1 4:1\n'))], {});

describe.each(readAndWritten)('a model of format $name', ({ name, writes, namesUsedOnly }) => {
  const kinds = (['trees', 'linear'] as const).filter(kind => writes?.[kind]);

  it.each(kinds)('opens with its %s, plain or gzipped', async kind => {
    const { files } = exportModel(native[kind], { to: name, target: at(`${name}-${kind}`) });
    const { path, content } = files[0]!;
    writeFileSync(path, content);
    writeFileSync(`${path}.gz`, gzipSync(content));
    for (const file of [path, `${path}.gz`]) {
      expect(await isModelFile(file)).toBe(true);
      const model = await openModel(file);
      expect(model.kind).toBe(kind);
      for (const row of rows) expect(model.scoreRow(row)).toBeCloseTo(native[kind].scoreRow(row), 5);
      expect((await inspectModel(file)).inspection).toMatchObject({ kind, format: name });
      expect(model.featureNames.slice(0, 2)).toEqual(['1', '2']);
    }
  });

  it(`${namesUsedOnly ? 'takes' : 'refuses'} data with more features`, async () => {
    const scores = async () => scoreData(await openModel(at(`${name}-${kinds[0]}`)), await data);
    if (namesUsedOnly) expect(await scores()).toHaveLength(1);
    else await expect(scores()).rejects.toMatchObject({ code: 'feature-mismatch' });
  });
});

describe('a model that another system wrote', () => {
  it.each(['lightgbm-missing-zero.txt', 'xgboost-ndcg.json', 'xgboost-ndcg.dump.json', 'xgboost-dart.json'])(
    'opens: %s',
    async name => {
      expect(await isModelFile(recorded(name))).toBe(true);
      expect((await openModel(recorded(name))).kind).toBe('trees');
    },
  );

  it('says what one should know, and is refused where something would be lost', async () => {
    writeFileSync(at('weights.json'), '{"a": 1, "b": 2}');
    const notes: string[] = [];
    await openModel(at('weights.json'), { note: text => notes.push(text) });
    expect(notes).toEqual([`${at('weights.json')}: sums are 64-bit here, 32-bit in the engines`]);
    const text = readFileSync(recorded('lightgbm-missing-nan.txt'), 'utf8');
    writeFileSync(at('binary.txt'), text.replace('objective=lambdarank', 'objective=binary sigmoid:1'));
    await expect(openModel(at('binary.txt'))).rejects.toMatchObject({
      code: 'conversion-lossy',
      message: expect.stringMatching(/sigmoid.*convert `lossy: true`/),
    });
  });

  it.each([
    ['## RankNet\n## Epochs = 100\n', 'model-unsupported', 'RankNet'],
    ['{"learner":{"gradient_booster":{"name":"gbtree"', 'model-invalid', 'JSON'],
    ['1 qid:3 1:0.5\n', 'model-invalid', 'lightgbm, xgboost'],
    ['', 'model-invalid', 'it starts with ""'],
  ])('is refused by name of what is wrong: %j', async (text, code, words) => {
    writeFileSync(at('refused'), text);
    await expect(openModel(at('refused'))).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  });
});

describe('data', () => {
  it.each([
    ['rows.txt', '## rows of my own\n1 qid:3 1:0.5\n'],
    ['rows.svm', '1 qid:3 1:0.5\n'],
    ['rows.csv', 'tree\nversion=\n'],
    ['log.json', '{"took": 4, "timed_out": false, "hits": {}}'],
    ['rows.jsonl', '{"bm25": 1.5, "qid": "a"}\n'],
    ['rows.ndjson.gz', ''],
  ])('%s is no model', async (name, text) => {
    writeFileSync(at(name), name.endsWith('.gz') ? gzipSync('{"bm25": 1.5}\n') : text);
    expect(await isModelFile(at(name))).toBe(false);
  });

  it.each([directory, at('*.txt'), at('none'), '-'])('%s is no model', async name => {
    expect(await isModelFile(name)).toBe(false);
  });

  it.skipIf(withoutPipes)('from a pipe is not looked at, since that would take from it', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    expect(await isModelFile(at('pipe'))).toBe(false);
  });
});
