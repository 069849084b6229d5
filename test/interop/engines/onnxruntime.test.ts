/** The emulator of onnxruntime against onnxruntime itself, on 100,000 documents at and beside thresholds. */
import * as ort from 'onnxruntime-web';
import { expect, it } from 'vitest';
import { exportModel } from '#listwise/interop/convert.js';
import { engineScorer } from '#listwise/interop/engines/engine-scorer.js';
import { findEngine, ruleFor } from '#listwise/interop/engines/find-rules.js';
import { DOCUMENTS, featureNames, fuzzedDocuments, fuzzedTrees } from './fuzzed.js';

ort.env.wasm.numThreads = 1;

it('scores of trees are the same to the bit', async () => {
  const model = fuzzedTrees();
  const documents = fuzzedDocuments();
  const { content } = exportModel(model, { to: 'onnx' }).files[0]!;
  const session = await ort.InferenceSession.create(content as Uint8Array);
  const rows = new Float32Array(DOCUMENTS * featureNames.length);
  for (const [i, document] of documents.entries()) rows.set(document, i * featureNames.length);
  const input = new ort.Tensor('float32', rows, [DOCUMENTS, featureNames.length]);
  const output = (await session.run({ [session.inputNames[0]!]: input }))[session.outputNames[0]!]!;
  const { score } = engineScorer(model, ruleFor(findEngine('onnxruntime@1'), 'trees', 'onnx'));
  const there = output.data as Float32Array;
  const different = documents.filter((document, i) => !Object.is(Math.fround(score(document)), there[i]));
  expect(different).toEqual([]);
  await session.release();
});
