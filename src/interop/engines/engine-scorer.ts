/**
 * Scores as an engine does, from its rule: the plain way, node by node. The tests hold it against scores that the
 * engines' own classes gave.
 */
import { ListwiseError } from '../../errors.js';
import { hasLevel } from '../../kernels/level-set.js';
import { isZero } from '../../kernels/trees-plan.js';
import { isOfKind } from '../../models/all.js';
import type { Ranker } from '../../models/ranker.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import type { Transform } from '../transform.js';
import type { WrittenNode } from '../written-node.js';
import { linearScore, netScore } from './dense-scorer.js';
import type { EngineRule, TreesRule } from './rule.js';

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
  /** What the engine itself adds to every sum, so that the least possible score is 0. */
  readonly raised: number;
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
  return { ...scorer, raised, score: features => applied(returned(scorer.score(features) + raised)) };
}

/** Before anything is made of the sums. */
type SumScorer = Omit<EngineScorer, 'raised'>;

function scorerOf(model: Ranker, { trees, linear, net }: EngineRule): SumScorer | undefined {
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

function treesScorer(model: TreesModel, rule: TreesRule): SumScorer {
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
