/** The kinds of models that engines take: those that the format holds, unless the engine reads less of it. */
import { describe, expect, it } from 'vitest';
import { exportModel, findFormat } from '#listwise/interop/convert.js';
import { engineRules } from '#listwise/interop/engines/all.js';
import { deploymentOf } from '#listwise/interop/engines/deployment.js';
import { kindsOf } from '#listwise/interop/engines/rule.js';
import { fuzzedLinear, fuzzedNet, fuzzedTrees } from './fuzzed.js';

const models = { trees: fuzzedTrees(), linear: fuzzedLinear(), net: fuzzedNet() };
const written = (format: string) => Object.keys(findFormat(format).writes ?? {}).sort();

/** Vespa reads trees of XGBoost only, and nets came to Solr later than trees. */
const less = ({ engine, format, since }: (typeof engineRules)[number]) =>
  (engine === 'vespa' && format !== 'onnx') || (engine === 'solr' && since === '6.4');

it.each(engineRules.filter(rule => !less(rule)))('$engine from $since on takes what $format holds', rule => {
  expect(kindsOf(rule).sort()).toEqual(written(rule.format));
});

describe('what is written for', () => {
  it.each([
    ['onnxruntime@1', 'linear', 'onnx'],
    ['onnxruntime@1', 'net', 'onnx'],
    ['xgboost@2', 'linear', 'xgboost'],
    ['vespa@8.700', 'linear', 'onnx'],
    ['vespa@8.700', 'net', 'onnx'],
    ['vespa@8.700', 'trees', 'xgboost-dump'],
  ] as const)('%s of a %s model is %s', (engine, kind, format) => {
    const { rule, model } = deploymentOf(engine, models[kind], {});
    expect(rule.format).toBe(format);
    expect(exportModel(model, { to: rule.format, rule }).losses).toEqual([]);
  });
});
