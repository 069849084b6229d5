/**
 * The emulator of onnxruntime against onnxruntime itself, on 100,000 documents at and beside thresholds. Linear models
 * and nets are added up there in an order that depends on the machine, so that the last digits can differ.
 */
import * as ort from 'onnxruntime-web';
import { expect, it } from 'vitest';
import { exportModel } from '#listwise/interop/convert.js';
import { engineScorer } from '#listwise/interop/engines/engine-scorer.js';
import { findEngine, ruleFor } from '#listwise/interop/engines/find-rules.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { NetModel } from '#listwise/models/net/net.js';
import type { Ranker } from '#listwise/models/ranker.js';
import { DOCUMENTS, featureNames, fuzzedDocuments, fuzzedLinear, fuzzedNet, fuzzedTrees } from './fuzzed.js';

ort.env.wasm.numThreads = 1;

async function scoresOf(model: Ranker, documents: readonly Float32Array[]): Promise<Float32Array> {
  const { content } = exportModel(model, { to: 'onnx' }).files[0]!;
  const session = await ort.InferenceSession.create(content as Uint8Array);
  const rows = new Float32Array(documents.length * featureNames.length);
  for (const [i, document] of documents.entries()) rows.set(document, i * featureNames.length);
  const input = new ort.Tensor('float32', rows, [documents.length, featureNames.length]);
  const output = (await session.run({ [session.inputNames[0]!]: input }))[session.outputNames[0]!]!;
  await session.release();
  return output.data as Float32Array;
}

const emulated = (model: Ranker) => engineScorer(model, ruleFor(findEngine('onnxruntime@1'), model.kind, 'onnx'));

it('scores of trees are the same to the bit', async () => {
  const model = fuzzedTrees();
  const documents = fuzzedDocuments();
  expect(documents).toHaveLength(DOCUMENTS);
  const { score } = emulated(model);
  const there = await scoresOf(model, documents);
  const different = documents.filter((document, i) => !Object.is(Math.fround(score(document)), there[i]));
  expect(different).toEqual([]);
});

const standardise = { mean: [1, -2, 0.5, 3, 0, 10], scale: [2, 0.3, 7, 1, 1.5, 4] };
const missing = [5, -5, 0, 3, 1, 9];

it.each<[string, Ranker]>([
  ['linear', new LinearModel({ ...fuzzedLinear(), standardise, missing, bias: 0.7 })],
  ['net', new NetModel({ ...fuzzedNet(), ...fuzzedNet().shape, standardise })],
])('scores of a %s model differ in their last digits at most, missing values included', async (_, model) => {
  const documents = fuzzedDocuments().filter(document => document.every(value => !(Math.abs(value) > 1e6)));
  expect(documents.filter(document => document.some(Number.isNaN)).length).toBeGreaterThan(1000);
  const { score } = emulated(model);
  const there = await scoresOf(model, documents);
  const off = documents.map((document, i) => Math.abs(score(document) - there[i]!) / Math.max(1, Math.abs(there[i]!)));
  expect(off.reduce((a, b) => Math.max(a, b))).toBeLessThan(2 ** -18);
  expect(score(documents[0]!)).toBeCloseTo(model.scoreRow(documents[0]!), 4);
});
