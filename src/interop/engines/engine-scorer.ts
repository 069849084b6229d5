/**
 * Scores as an engine does, from its rule: the plain way, node by node. The tests hold it against scores that the
 * engines' own classes gave.
 */
import { ListwiseError } from '../../errors.js';
import { hasLevel } from '../../kernels/level-set.js';
import { isZero } from '../../kernels/trees-plan.js';
import { isOfKind } from '../../models/all.js';
import type { LinearModel } from '../../models/linear/linear.js';
import { activationFunctions } from '../../models/net/activation-functions.js';
import type { NetModel } from '../../models/net/net.js';
import type { Ranker } from '../../models/ranker.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import { foldedLinear, normalisedLinear } from '../linear-folding.js';
import { foldedLayer, plainLayer } from '../net-folding.js';
import type { Transform } from '../transform.js';
import type { WrittenNode } from '../written-node.js';
import type { EngineRule, LinearRule, NetRule, TreesRule } from './rule.js';

/**
 * Scores of documents, their features in the order of the model's, NaN where missing.
 *
 * @example
 * import { type EngineScorer, engineScorer, findEngine } from 'listwise/interop';
 *
 * const scorer: EngineScorer = engineScorer(model, findEngine('solr@9').rules[0]!);
 */
export interface EngineScorer {
  score(features: ArrayLike<number>): number;
  /** The child that a document goes to from a node of a tree of the model. */
  childOf?(tree: Tree, node: number, features: ArrayLike<number>): number;
}

/**
 * How an engine scores a model; a sigmoid is applied where the file asks for it and the engine does it.
 *
 * @example
 * import { engineScorer, findEngine } from 'listwise/interop';
 *
 * const [rule] = findEngine('opensearch@3.5').rules;
 * console.log(engineScorer(model, rule!).score([12.1, Number.NaN, 3]));
 */
export function engineScorer(model: Ranker, rule: EngineRule, transform: Transform = 'none'): EngineScorer {
  const scorer = scorerOf(model, rule);
  if (scorer === undefined)
    throw new ListwiseError('model-unsupported', `${rule.engine} takes no ${model.kind} model as ${rule.format}`);
  const raised = rule.negative === 'raised' ? Math.max(0, -leastScore(model)) : 0;
  const returned = rule.returns === 32 ? Math.fround : asIs;
  const applied = transform === 'sigmoid' ? (rule.sigmoid ?? asIs) : asIs;
  return { ...scorer, score: features => applied(returned(scorer.score(features) + raised)) };
}

function scorerOf(model: Ranker, { trees, linear, net }: EngineRule): EngineScorer | undefined {
  if (isOfKind(model, 'trees')) return trees && treesScorer(model, trees);
  if (isOfKind(model, 'linear')) return linear && { score: linearScore(model, linear) };
  if (isOfKind(model, 'net')) return net && { score: netScore(model, net) };
  return undefined;
}

const asIs = (value: number) => value;

function leastScore(model: Ranker): number {
  return compensatedSum(model.leastTerms?.() ?? [0]);
}

// ---- trees

function treesScorer(model: TreesModel, rule: TreesRule): EngineScorer {
  // Thresholds are turned into what the engine has once.
  const planned = new Map(
    model.trees.map(tree => [
      tree,
      Array.from(tree.feature, (_, node) => {
        const written = rule.written(tree, node);
        return rule.reads === undefined ? written : { ...written, condition: rule.reads(written.condition) };
      }),
    ]),
  );
  const childOf = (tree: Tree, node: number, features: ArrayLike<number>): number => {
    const { left, right, ...test } = planned.get(tree)![node]!;
    const value = Math.fround(features[tree.feature[node]!]!);
    return passes(rule, tree, node, value, test) ? left : right;
  };
  const leafOf = (tree: Tree, features: ArrayLike<number>): number => {
    if (tree.feature.length === 0) return 0;
    let node = 0;
    do node = childOf(tree, node, features);
    while (node >= 0);
    return ~node;
  };
  const first = model.base === 0 || rule.baseAtLast !== undefined ? [] : [rule.leaf(model.base)];
  const last = rule.baseAtLast === undefined ? [] : [rule.baseAtLast(model.base)];
  const add = sums[rule.sums];
  const score = (features: ArrayLike<number>) =>
    add([...first, ...model.trees.map(tree => rule.leaf(tree.value[leafOf(tree, features)]!)), ...last]);
  return { score, childOf };
}

function passes(
  { missing, compares, zeroMissing, tinyZeros }: TreesRule,
  tree: Tree,
  node: number,
  given: number,
  { condition, missingLeft }: Pick<WrittenNode, 'condition' | 'missingLeft'>,
): boolean {
  const absent = Number.isNaN(given) || (zeroMissing === true && tree.zeroMissing?.[node] === 1 && isZero(given));
  if (absent && missing === 'node') return missingLeft;
  const zero = (absent && missing === 'zero') || (tinyZeros === true && isZero(given));
  const value = zero ? 0 : given;
  const levels = tree.leftLevels?.[node];
  if (levels !== undefined) return hasLevel(levels, value);
  return compares === '<' ? value < condition : value <= condition;
}

/** By what engines add up with. */
const sums: Readonly<Record<TreesRule['sums'], (values: readonly number[]) => number>> = {
  float32: values => values.reduce((sum, value) => Math.fround(sum + value), 0),
  float64: values => values.reduce((sum, value) => sum + value, 0),
  compensated: compensatedSum,
};

/** Java's DoubleStream.sum(), of version 17 and later. */
function compensatedSum(values: readonly number[]): number {
  let [sum, lost] = [0, 0];
  for (const value of values) {
    const more = value - lost;
    const next = sum + more;
    lost = next - sum - more;
    sum = next;
  }
  return sum - lost;
}

// ---- linear models and nets

/** What a feature that is missing counts as: engines have 0, and take the mean from it as from any other value. */
const present = (value: number) => (Number.isNaN(value) ? 0 : value);

interface Standardised {
  readonly mean: ArrayLike<number>;
  readonly scale: ArrayLike<number>;
}

/** (x - mean) / scale, in 32 bits. */
function standardised({ mean, scale }: Standardised) {
  const [centre, width] = [Float32Array.from(mean), Float32Array.from(scale)];
  return (value: number, f: number) => Math.fround(Math.fround(value - centre[f]!) / width[f]!);
}

/** Added up in the order of the features, after the intercept where one is held. */
function linearScore(model: LinearModel, rule: LinearRule) {
  const round = rule.width === 32 ? Math.fround : asIs;
  const { weights, bias, input } = linearParts(model, rule);
  return (features: ArrayLike<number>) =>
    weights.reduce(
      (sum, weight, f) => round(sum + round(round(weight) * input(Math.fround(features[f]!), f))),
      rule.intercept ? round(bias) : 0,
    );
}

/** What the engine has of a model, and what it makes of the value of a feature. */
function linearParts(model: LinearModel, { standardises }: LinearRule) {
  if (standardises === 'as-here') {
    const { weights, bias } = model;
    const [missing, turn] = [Float32Array.from(model.missing), standardised(model)];
    return { weights, bias, input: (value: number, f: number) => turn(Number.isNaN(value) ? missing[f]! : value, f) };
  }
  const own = standardises === 'normalisers' ? normalisedLinear(model) : undefined;
  const { weights, bias } = own ?? foldedLinear(model);
  if (own?.normalisers === undefined) return { weights, bias, input: present };
  const turn = standardised({
    mean: own.normalisers.map(({ mean }) => mean),
    scale: own.normalisers.map(({ scale }) => scale),
  });
  return { weights, bias, input: (value: number, f: number) => turn(present(value), f) };
}

/** The bias first, then the inputs in their order; the first layer may take the standardisation in. */
function netScore(model: NetModel, { standardises }: NetRule) {
  const round = Math.fround;
  const activate = activationFunctions[model.shape.activation];
  const layers = model.layers.map((_, l) => (standardises === 'as-here' ? plainLayer : foldedLayer)(model, l));
  const turn = standardises === 'as-here' ? standardised(model) : asIs;
  return (features: ArrayLike<number>): number => {
    let values = Array.from(features, (value, f) => present(turn(round(value), f)));
    layers.forEach(({ weights, bias }, l) => {
      const sumsOfUnits = bias.map((start, unit) =>
        values.reduce((sum, value, i) => round(sum + round(weights[unit]![i]! * value)), start),
      );
      values = l === layers.length - 1 ? sumsOfUnits : sumsOfUnits.map(sum => round(activate(sum)));
    });
    return values[0]!;
  };
}
