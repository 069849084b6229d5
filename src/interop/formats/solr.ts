/**
 * Models of Solr's learning to rank (JSON). Trees: value <= threshold goes left in 32 bits, after Solr has added 1e-6
 * to the threshold; a missing value is the default of its feature, 0 unless the feature says otherwise, and from 9.2 on
 * it may go the way of its node. Linear models and nets: 32 bits throughout.
 */
import { shortestFloat32 } from '../../data/writers/shortest-float.js';
import { plural, quote } from '../../errors.js';
import type { Activation } from '../../kernels/net-shape.js';
import type { Model } from '../../models/all.js';
import { LinearModel } from '../../models/linear/linear.js';
import { NetModel } from '../../models/net/net.js';
import type { Ranker } from '../../models/ranker.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import { refuseCategories } from '../categories.js';
import { type ExportJob, type ImportJob, invalid, type ModelFormat, unsupported, type WrittenFile } from '../format.js';
import { JsonReader } from '../json-reader.js';
import { linearFor, loseBias } from '../linear-folding.js';
import { foldedLayer } from '../net-folding.js';
import { buildTree, type ReadNode, treesModel } from '../tree-builder.js';
import { countNodes, loseMissing, loseZeroMissing, noteWidth, refuseDeepTrees, treesWithBase } from '../tree-writer.js';
import { hasNoSlackless, SOLR_SLACK, slackNode } from '../written-node.js';
import { real } from './xgboost-rule.js';

const CLASS = 'org.apache.solr.ltr.model.';
const NORM = 'org.apache.solr.ltr.norm.';

// ---- reading

function read(content: Uint8Array, job: ImportJob): Model {
  const file = JsonReader.parse(content, job);
  const kind = file.at('class').text().replace(CLASS, '');
  const features = file.at('features').list();
  const featureNames = features.map(feature => feature.at('name').text());
  const normalised = features.some(feature => feature.has('norm'));
  if (normalised && kind !== 'LinearModel')
    unsupported(job, 'its features have normalisers ("norm"); give it features as they are after them, without "norm"');
  const params = file.at('params');
  if (kind === 'MultipleAdditiveTreesModel') return readTrees(params, featureNames, job);
  if (kind === 'LinearModel') {
    const weights = featureNames.map(name => numberIn(params.at('weights', name), job));
    job.changes.notice('sums are 64-bit here, 32-bit in Solr');
    const norms = features.map(feature => normOf(feature, job));
    return new LinearModel({
      featureNames,
      weights: weights.map(Math.fround),
      standardise: normalised
        ? { mean: norms.map(({ mean }) => mean), scale: norms.map(({ scale }) => scale) }
        : undefined,
      missing: featureNames.map(() => 0),
    });
  }
  if (kind === 'NeuralNetworkModel') return readNet(params, featureNames, job);
  return unsupported(job, `there is no model ${quote(kind)} here; trees, linear models and nets of Solr are read`);
}

/** What is taken from a feature, and what it is divided by: (x - mean) / scale. */
function normOf(feature: JsonReader, job: ImportJob): { mean: number; scale: number } {
  if (!feature.has('norm')) return { mean: 0, scale: 1 };
  const name = feature.at('norm', 'class').text().replace(NORM, '');
  const number = (key: string) => Math.fround(numberIn(feature.at('norm', 'params', key), job));
  if (name === 'IdentityNormalizer') return { mean: 0, scale: 1 };
  if (name === 'StandardNormalizer') return { mean: number('avg'), scale: number('std') };
  if (name === 'MinMaxNormalizer') return { mean: number('min'), scale: Math.fround(number('max') - number('min')) };
  return unsupported(job, `there is no normaliser ${quote(name)} here; standard, min-max and identity are read`);
}

/** Solr takes numbers as such and as texts. */
function numberIn(reader: JsonReader, job: ImportJob): number {
  if (typeof reader.value !== 'string') return reader.number();
  const number = Number(reader.value);
  return Number.isFinite(number) && reader.value.trim() !== ''
    ? number
    : invalid(job, `${quote(reader.value)} is not a number`);
}

function readTrees(params: JsonReader, featureNames: readonly string[], job: ImportJob): TreesModel {
  const asZero = !params.has('isNullSameAsZero') || String(params.at('isNullSameAsZero').value) !== 'false';
  const places = new Map(featureNames.map((name, place) => [name, place]));
  const trees = params
    .at('trees')
    .list()
    .map(tree => {
      const weight = Math.fround(numberIn(tree.at('weight'), job));
      const nodeOf = (node: JsonReader): ReadNode<JsonReader> => {
        if (!node.has('feature')) return { value: Math.fround(weight * Math.fround(numberIn(node.at('value'), job))) };
        const name = node.at('feature').text();
        const feature = places.get(name) ?? invalid(job, `a split is by ${quote(name)}, which is none of its features`);
        const threshold = Math.fround(Math.fround(numberIn(node.at('threshold'), job)) + SOLR_SLACK);
        const missingLeft = asZero ? 0 <= threshold : node.has('missing') && node.at('missing').text() === 'left';
        return { feature, threshold, missingLeft, left: node.at('left'), right: node.at('right') };
      };
      return buildTree(tree.at('root'), nodeOf, job);
    });
  if (trees.length === 0) invalid(job, 'there are no trees in the file');
  return treesModel({ featureNames, trees, sums: 'float32' });
}

const activations: Readonly<Record<Activation, string>> = { tanh: 'tanh', sigmoid: 'sigmoid', relu: 'relu' };

function readNet(params: JsonReader, featureNames: readonly string[], job: ImportJob): NetModel {
  const layers = params.at('layers').list();
  const names = layers.map(layer => layer.at('activation').text());
  const activation = (Object.keys(activations) as Activation[]).find(one => activations[one] === names[0]);
  if (activation === undefined || names.slice(0, -1).some(name => name !== names[0]) || names.at(-1) !== 'identity')
    unsupported(
      job,
      `its layers have ${names.join(', ')}; hidden layers of one of ${Object.keys(activations).join(', ')} and identity at last are read`,
    );
  const hidden = layers.slice(0, -1).map(layer => layer.at('bias').list().length);
  const parameters = layers.flatMap(layer => [
    ...layer
      .at('matrix')
      .list()
      .flatMap(row => row.numbers()),
    ...layer.at('bias').numbers(),
  ]);
  job.changes.notice('sums are 64-bit here, 32-bit in Solr');
  return new NetModel({ featureNames, hidden, activation: activation!, parameters: parameters.map(Math.fround) });
}

// ---- writing

function fileOf(
  { featureNames }: Ranker,
  job: ExportJob,
  kind: string,
  params: object,
  norms?: readonly object[],
): WrittenFile[] {
  const body = {
    class: `${CLASS}${kind}`,
    name: job.name ?? 'listwise',
    store: '_DEFAULT_',
    features: featureNames.map((name, f) => ({ name, ...(norms && { norm: norms[f] }) })),
    params,
  };
  return [{ path: job.target, content: `${withReals(JSON.stringify(body, undefined, 1))}\n` }];
}

/** Numbers of nets go as texts until here, so that each is written as a real one: Solr refuses whole numbers there. */
const MARK = '#real:';

function withReals(json: string): string {
  return json.replaceAll(new RegExp(`"${MARK}([^"]*)"`, 'g'), '$1');
}

function writeTrees(model: TreesModel, job: ExportJob): WrittenFile[] {
  refuseDeepTrees(model);
  refuseCategories(model, 'Solr');
  noteWidth(model, 'float32', job);
  const follows = job.rule?.trees?.missing === 'node';
  if (follows) {
    loseZeroMissing(model, job.changes);
    job.changes.notice('missing values go the way of their nodes where the features have NaN as their default in Solr');
  } else loseMissing(model, job.changes);
  const none = countNodes(model, (tree, node) => hasNoSlackless(tree.threshold[node]!));
  if (none > 0)
    job.changes.loses(
      `Solr adds 1e-6 to every threshold, and for ${plural(none, 'threshold')} there is no number with which that gives it; the next number above goes left there, too`,
    );
  const trees = treesWithBase(model).map(tree => ({
    weight: '1',
    root: rootOf(tree, model.featureNames, follows),
  }));
  return fileOf(model, job, 'MultipleAdditiveTreesModel', { ...(follows && { isNullSameAsZero: false }), trees });
}

function rootOf(tree: Tree, names: readonly string[], follows: boolean): object {
  const print = (node: number): object => {
    if (node < 0) return { value: shortestFloat32(Math.fround(tree.value[~node]!)) };
    const { condition, left, right, missingLeft } = slackNode(tree, node);
    return {
      feature: names[tree.feature[node]!],
      threshold: shortestFloat32(condition),
      ...(follows && { missing: missingLeft ? 'left' : 'right' }),
      left: print(left),
      right: print(right),
    };
  };
  return print(tree.feature.length > 0 ? 0 : ~0);
}

function writeLinear(model: LinearModel, job: ExportJob): WrittenFile[] {
  const { weights, bias, normalisers } = linearFor(model, job);
  loseBias(bias, job.changes);
  job.changes.notice('weights and sums are 32-bit in Solr');
  const named = model.featureNames.map((name, f) => [name, `${MARK}${real(weights[f]!)}`]);
  const norms = normalisers?.map(({ mean, scale }) => ({
    class: `${NORM}StandardNormalizer`,
    params: { avg: shortestFloat32(mean), std: shortestFloat32(scale) },
  }));
  return fileOf(model, job, 'LinearModel', { weights: Object.fromEntries(named) }, norms);
}

function writeNet(model: NetModel, job: ExportJob): WrittenFile[] {
  job.changes.notice('weights and sums are 32-bit in Solr');
  if (model.mean.some(mean => mean !== 0))
    job.changes.loses(
      'missing values count as 0 in Solr; in the model they count as the mean of their feature',
      'ways',
    );
  const layers = model.layers.map((_, l) => {
    const { weights, bias } = foldedLayer(model, l);
    const activation = l === model.layers.length - 1 ? 'identity' : activations[model.shape.activation];
    const reals = (values: readonly number[]) => values.map(value => `${MARK}${real(value)}`);
    return { matrix: weights.map(reals), bias: reals(bias), activation };
  });
  return fileOf(model, job, 'NeuralNetworkModel', { layers });
}

export const solr: ModelFormat = {
  name: 'solr',
  title: "Solr's learning to rank (JSON: trees, linear, net)",
  rule: '`<=` goes left after 1e-6 is added, float32; a missing value counts as 0 (from 9.2 on: the way of its node); float32 sums',
  recognise: start => /"class"\s*:\s*"org\.apache\.solr\.ltr\.model\./.test(start),
  reads: ['trees', 'linear', 'net'],
  read,
  writes: { trees: writeTrees, linear: writeLinear, net: writeNet },
  body: true,
};
