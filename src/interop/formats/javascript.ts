/**
 * A JavaScript module with the model in it and no dependencies, and its types beside it. The arithmetic is that of the
 * model's own `scoreRow`, in the same order: scores are equal to the bit.
 */
import { shortestFloat32 } from '../../data/writers/shortest-float.js';
import type { Model } from '../../models/all.js';
import type { LinearModel } from '../../models/linear/linear.js';
import { activationFunctions, decay } from '../../models/net/activation-functions.js';
import type { NetModel } from '../../models/net/net.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import type { ExportJob, ModelFormat, WrittenFile } from '../format.js';

function files({ featureNames, description }: Model, body: string, job: ExportJob): WrittenFile[] {
  const names = JSON.stringify(featureNames);
  const levels = Object.entries(description?.categories ?? {}).filter(([name]) => featureNames.includes(name));
  const named = levels.length > 0;
  const code = `// A ranking model written by listwise. Needs nothing else; the types are beside it.

/** Features in the order in which \`score\` takes them. */
export const featureNames = ${names};

${body}
${
  named
    ? `/** Levels of categories: \`score\` takes their places here, from 0, and \`scoreNamed\` the levels themselves. */
export const levels = ${JSON.stringify(Object.fromEntries(levels))};
const codes = new Map(Object.entries(levels).map(([name, own]) => [name, new Map(own.map((level, code) => [level, code]))]));

`
    : ''
}/** The score of a document given by feature names; a feature that is left out is missing. */
export function scoreNamed(document) {
  return score(featureNames.map(name => ${
    named
      ? `{
    const value = document[name] ?? NaN;
    return codes.has(name) ? (codes.get(name).get(String(value)) ?? NaN) : value;
  }`
      : 'document[name] ?? NaN'
  }));
}
`;
  const types = `/** Features in the order in which \`score\` takes them. */
export declare const featureNames: readonly ${names};
export type FeatureName = ${featureNames.map(name => JSON.stringify(name)).join(' | ') || 'never'};
/**
 * The score of one document, its features in the order of \`featureNames\`; NaN is a missing value. Higher ranks first.
 */
export declare function score(features: ArrayLike<number>): number;
${named ? '/** Levels of categories: `score` takes their places here, from 0, and `scoreNamed` the levels themselves. */\nexport declare const levels: Readonly<Record<string, readonly string[]>>;\n' : ''}/** The score of a document given by feature names; a feature that is left out is missing. */
export declare function scoreNamed(document: Readonly<Partial<Record<FeatureName, number${named ? ' | string' : ''}>>>): number;
`;
  return [
    { path: job.target, content: code },
    { path: typesPath(job.target), content: types },
  ];
}

/** model.js has model.d.ts, model.mjs has model.d.mts. */
function typesPath(path: string): string {
  const [, stem, letter] = /^(.*?)(?:\.([mc]?)js)?$/s.exec(path)!;
  return `${stem}.d.${letter ?? ''}ts`;
}

const list = (values: ArrayLike<number>) => `[${Array.from(values).join(',')}]`;
const floats = (values: ArrayLike<number>) => `Float32Array.of(${Array.from(values, shortestFloat32).join(',')})`;

function writeTrees(model: TreesModel, job: ExportJob): WrittenFile[] {
  const narrow = model.trees.every(tree => tree.value.every(value => Math.fround(value) === value));
  const byCategory = model.trees.some(tree => tree.leftLevels);
  const sets = ({ leftLevels = [] }: Tree) =>
    `[${leftLevels.map(set => (set === undefined ? '' : `new Uint32Array(${list(set)})`)).join(',')}]`;
  const trees = model.trees.map(tree => {
    const ways = tree.missingLeft.map((left, node) => left + 2 * (tree.zeroMissing?.[node] ?? 0));
    return `  [${list(tree.feature)},${floats(tree.threshold)},${list(ways)},${list(tree.left)},${list(tree.right)},${(narrow ? floats : list)(tree.value)}${byCategory ? `,${sets(tree)}` : ''}],`;
  });
  const sum = model.sums === 'float32' ? 'sum = Math.fround(sum + value[~node]);' : 'sum += value[~node];';
  const body = `// A tree: features, thresholds, ways (1: missing goes left, 2: zero is missing), left and right children, values of leaves.
// A child below 0 is leaf ~child.${
    byCategory
      ? `
// Last come the levels of categories that go left, a bit each: bit c & 31 of word c >> 5 for code c.`
      : ''
  }
const trees = [
${trees.join('\n')}
];

/** The score of one document, its features in the order of \`featureNames\`; NaN is a missing value. */
export function score(features) {
  let sum = ${model.base};
  for (const [feature, threshold, way, left, right, value${byCategory ? ', levels' : ''}] of trees) {
    let node = feature.length === 0 ? -1 : 0;
    while (node >= 0) {
      const x = Math.fround(features[feature[node]]);
${byCategory ? '      const set = levels[node];\n' : ''}      const missing = x !== x || (${byCategory ? '!set && ' : ''}(way[node] & 2) !== 0 && Math.abs(x) <= ${Math.fround(1e-35)});
      node = (missing ? (way[node] & 1) === 1 : ${byCategory ? 'set ? x >= 0 && x < 32 * set.length && ((set[x >>> 5] >>> (x & 31)) & 1) === 1 : ' : ''}x <= threshold[node]) ? left[node] : right[node];
    }
    ${sum}
  }
  return sum;
}
`;
  return files(model, body, job);
}

function writeLinear(model: LinearModel, job: ExportJob): WrittenFile[] {
  const body = `const weights = ${list(model.weights)};
const mean = ${list(model.mean)};
const scale = ${list(model.scale)};
// What a missing value counts as.
const fill = ${list(model.missing)};

/** The score of one document, its features in the order of \`featureNames\`; NaN is a missing value. */
export function score(features) {
  let sum = ${model.bias};
  for (let f = 0; f < weights.length; f++) {
    const x = features[f] !== features[f] ? fill[f] : features[f];
    sum += weights[f] * ((x - mean[f]) / scale[f]);
  }
  return sum;
}
`;
  return files(model, body, job);
}

function writeNet(model: NetModel, job: ExportJob): WrittenFile[] {
  const layers = model.layers.map(({ inputs, units, weights, bias }) => {
    const rows = Array.from({ length: units }, (_, u) =>
      list(model.parameters.subarray(weights + u * inputs, weights + (u + 1) * inputs)),
    );
    return `  { weights: [${rows.join(',')}], bias: ${list(model.parameters.subarray(bias, bias + units))} },`;
  });
  const body = `const mean = ${list(model.mean)};
const scale = ${list(model.scale)};
const layers = [
${layers.join('\n')}
];
${decay}
const activate = ${activationFunctions[model.shape.activation]};

/** The score of one document, its features in the order of \`featureNames\`; NaN is a missing value. */
export function score(features) {
  let values = mean.map((m, f) => (features[f] !== features[f] ? 0 : (features[f] - m) / scale[f]));
  layers.forEach(({ weights, bias }, l) => {
    values = weights.map((row, u) => {
      let sum = bias[u];
      for (let i = 0; i < row.length; i++) sum += row[i] * values[i];
      return l < layers.length - 1 ? activate(sum) : sum;
    });
  });
  return values[0];
}
`;
  return files(model, body, job);
}

export const javascript: ModelFormat = {
  name: 'javascript',
  aliases: ['js', 'module'],
  title: 'JavaScript module with types, no dependencies',
  rule: 'the model as it is, to the bit',
  extensions: ['.js', '.mjs'],
  writes: { trees: writeTrees, linear: writeLinear, net: writeNet },
};
