/** Objectives whose predictions are a sigmoid of the sum: kept where the other system does it, and flat at its ends. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDeployment } from '#listwise/analysis/deploy-check.js';
import { verifyDeployment } from '#listwise/analysis/deploy-verify.js';
import { convertModel, exportModel, importModel } from '#listwise/interop/convert.js';
import { openImported, openModel } from '#listwise/interop/open-model.js';
import { datasetOf } from '../../data/datasets.js';
import { temporaryDirectory } from '../../temporary.js';
import { documents, wholeEnsemble } from '../ensembles.js';
import { stump } from './stump.js';

const folder = temporaryDirectory();
/** In 32 bits the sigmoids of both leaves are 1. */
const high = stump({ threshold: 0, missingLeft: true, left: 18, right: 19 });
const data = datasetOf(
  [
    ['q', 0, -1],
    ['q', 1, 1],
  ],
  ['x'],
);
const fileTransform = 'sigmoid' as const;

describe('deploy check', () => {
  it.each(['opensearch@3.8', 'opensearch@2.19.2', 'elasticsearch-ltr@7.17', 'elasticsearch-ltr@9.0.8'])(
    '%s applies it in 32 bits, so that documents tie',
    engine => {
      const check = checkDeployment(high, data, { engine, fileTransform });
      expect(check).toMatchObject({ transform: 'sigmoid', offset: 0, otherLeaf: 0, otherRank: 2, losses: [] });
      expect(check.examples.map(({ score }) => score.there)).toEqual([1, 1]);
      expect(check.largestDifference).toBeLessThan(1e-7);
      expect(check.advice).toEqual([
        expect.stringMatching(/^Write the model with `transform: none`: .* documents tie/),
      ]);
      const advised = checkDeployment(high, data, { engine, fileTransform, transform: 'none' });
      expect(advised).toMatchObject({ transform: 'none', otherRank: 0, losses: [], advice: [] });
    },
  );

  it.each(['lightgbm@4.6', 'vespa@8.700'])('%s applies it in 64 bits', engine => {
    const to = engine.startsWith('vespa') ? 'lightgbm-dump' : undefined;
    const check = checkDeployment(high, data, { engine, to, fileTransform });
    expect(check).toMatchObject({ transform: 'sigmoid', otherRank: 0, advice: [] });
  });

  it.each(['solr@9.5', 'elasticsearch@9.1', 'vespa@8.700', 'catboost@1.2', 'elasticsearch-ltr@7.4'])(
    '%s gives the sums, and that is said',
    engine => {
      const check = checkDeployment(high, data, { engine, fileTransform });
      expect(check).toMatchObject({ transform: 'none', otherRank: 0 });
      expect(check.losses).toContain(
        "the model's own system gives a sigmoid of sums; there they are sums, in the same order",
      );
      expect(() => checkDeployment(high, data, { engine, transform: 'sigmoid' })).toThrow(/applies no sigmoid/);
    },
  );

  it('is compared with what an engine returned', () => {
    const low = stump({ threshold: 0, missingLeft: true, left: -3, right: 0.5 });
    const answers = [-3, 0.5].map((sum, row) => ({
      query: 'q',
      document: data.documentId(row),
      score: Math.fround(1 / (1 + Math.exp(-sum))),
    }));
    const options = { engine: 'opensearch@3.8', fileTransform };
    expect(verifyDeployment(low, data, answers, options)).toMatchObject({ same: 2, offset: 0 });
    expect(verifyDeployment(low, data, answers, { ...options, transform: 'none' }).other).toBeGreaterThan(0);
  });
});

describe('conversions', () => {
  const names = ['bm25', 'title', 'age', 'clicks', 'length'];
  const model = wholeEnsemble(3, { features: 5, leaves: [31, 7, 1, 40], grid: 30, skew: 0.2 }, names);
  const rows = documents(3, 500, model);

  it.each(['xgboost', 'xgboost-ubj', 'xgboost-raw', 'xgboost-dump', 'lightgbm', 'lightgbm-dump'])(
    '%s keeps it, and every sum',
    to => {
      const written = exportModel(model, { to, transform: 'sigmoid' });
      expect([written.transform, written.losses]).toEqual(['sigmoid', []]);
      const back = importModel(written.files[0]!.content);
      expect(back.applied?.transform).toBe('sigmoid');
      expect(back.losses).toEqual([back.applied?.loss]);
      const given = to.startsWith('lightgbm') ? rows.map(row => row.map(x => (Math.abs(x) < 1e-35 ? 0 : x))) : rows;
      const placed = (row: Float32Array) => back.model.featureNames.map(name => row[names.indexOf(name)]!);
      expect(given.map(row => back.model.scoreRow(placed(row)))).toEqual(given.map(row => model.scoreRow(row)));
    },
  );

  it.each(['ranklib', 'solr', 'elasticsearch', 'onnx', 'listwise'])('%s cannot', to => {
    expect(() => exportModel(model, { to, transform: 'sigmoid' })).toThrow(/asks for no sigmoid/);
  });

  it('lose nothing from XGBoost to the plugins, and only by consent elsewhere', async () => {
    const source = join(folder, 'logistic.json');
    writeFileSync(source, exportModel(model, { to: 'xgboost', transform: 'sigmoid' }).files[0]!.content);
    const target = (name: string) => join(folder, name);
    const kept = await convertModel(source, target('body.json'), { engine: 'opensearch@3.8' });
    expect(kept).toMatchObject({ to: 'xgboost-dump', losses: [] });
    expect(kept.notes.join()).not.toMatch(/raised/);
    await expect(convertModel(source, target('solr.json'), { engine: 'solr@9.5' })).rejects.toThrow(
      /a sigmoid of the sum/,
    );
    for (const options of [{ lossy: true }, { transform: 'none' }] as const) {
      const { losses } = await convertModel(source, target('own.json'), { to: 'listwise', ...options });
      expect(losses).toHaveLength('lossy' in options ? 1 : 0);
      expect((await openModel(target('own.json'))).scoreRow(rows[0]!)).toBe(model.scoreRow(rows[0]!));
    }
    await expect(openModel(source)).rejects.toThrow(/a sigmoid of the sum/);
    expect((await openImported(source, { transformed: true })).applied?.transform).toBe('sigmoid');
  });

  it('of LightGBM are by a sigmoid of its own where it says so', () => {
    const text = String(exportModel(model, { to: 'lightgbm', transform: 'sigmoid' }).files[0]!.content);
    const other = importModel(text.replace('sigmoid:1\n', 'sigmoid:2\n'));
    expect(other.applied).toBeUndefined();
    expect(other.losses).toEqual([expect.stringMatching(/a sigmoid of the sum/)]);
  });
});
