/**
 * What trees expect of a document of which some features are known, and Algorithm 2 of Lundberg, Erion and Lee 2018,
 * which finds the Shapley values of that in polynomial time.
 */
import { childOf, type Tree } from '#listwise/models/trees/trees.js';

function cover(tree: Tree, node: number): number {
  return node < 0 ? tree.leafDocuments![~node]! : cover(tree, tree.left[node]!) + cover(tree, tree.right[node]!);
}

/** An unknown feature sends the document both ways, in the shares of the training documents. */
export function expected(tree: Tree, row: ArrayLike<number>, known: (feature: number) => boolean): number {
  const below = (node: number): number => {
    if (node < 0) return tree.value[~node]!;
    if (known(tree.feature[node]!)) return below(childOf(tree, node, row));
    const [left, right] = [tree.left[node]!, tree.right[node]!];
    const all = cover(tree, node);
    return (below(left) * cover(tree, left) + below(right) * cover(tree, right)) / all;
  };
  return below(tree.feature.length === 0 ? ~0 : 0);
}

/** A feature on a path: z and o are the shares of training documents, and whether this one, pass its splits. */
interface Element {
  readonly feature: number;
  readonly z: number;
  readonly o: number;
  weight: number;
}

/** Values of the features of a tree. */
export function treeShap(tree: Tree, row: ArrayLike<number>, features: number): Float64Array {
  const values = new Float64Array(features);
  const visit = (node: number, path: Element[], z: number, o: number, feature: number): void => {
    let extended = extend(path, z, o, feature);
    if (node < 0) {
      for (let i = 1; i < extended.length; i++) {
        const sum = unwind(extended, i).reduce((all, { weight }) => all + weight, 0);
        values[extended[i]!.feature]! += sum * (extended[i]!.o - extended[i]!.z) * tree.value[~node]!;
      }
      return;
    }
    const hot = childOf(tree, node, row);
    const cold = hot === tree.left[node] ? tree.right[node]! : tree.left[node]!;
    let [upperZ, upperO] = [1, 1];
    const before = extended.findIndex(element => element.feature === tree.feature[node]);
    if (before >= 0) {
      [upperZ, upperO] = [extended[before]!.z, extended[before]!.o];
      extended = unwind(extended, before);
    }
    const all = cover(tree, node);
    visit(hot, extended, (upperZ * cover(tree, hot)) / all, upperO, tree.feature[node]!);
    visit(cold, extended, (upperZ * cover(tree, cold)) / all, 0, tree.feature[node]!);
  };
  visit(tree.feature.length === 0 ? ~0 : 0, [], 1, 1, -1);
  return values;
}

function extend(path: readonly Element[], z: number, o: number, feature: number): Element[] {
  const l = path.length;
  const next = [...path.map(element => ({ ...element })), { feature, z, o, weight: l === 0 ? 1 : 0 }];
  for (let i = l - 1; i >= 0; i--) {
    next[i + 1]!.weight += (o * next[i]!.weight * (i + 1)) / (l + 1);
    next[i]!.weight = (z * next[i]!.weight * (l - i)) / (l + 1);
  }
  return next;
}

function unwind(path: readonly Element[], i: number): Element[] {
  const l = path.length - 1;
  const { z, o } = path[i]!;
  const weights = path.map(({ weight }) => weight);
  let n = weights[l]!;
  for (let j = l - 1; j >= 0; j--) {
    if (o !== 0) {
      const t = weights[j]!;
      weights[j] = (n * (l + 1)) / ((j + 1) * o);
      n = t - (weights[j]! * z * (l - j)) / (l + 1);
    } else weights[j] = (weights[j]! * (l + 1)) / (z * (l - j));
  }
  const rest = path.filter((_, j) => j !== i);
  return rest.map((element, j) => ({ ...element, weight: weights[j]! }));
}
