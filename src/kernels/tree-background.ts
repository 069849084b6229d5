/** Shapley values of trees against background documents; assembly/tree-background.ts says how. */
import { Arena, arraysOf, f64, records, u8 } from './arena.js';
import { FORK } from './layouts/tree-background.js';
import { loadKernel } from './load.js';

export interface ForkedTree {
  readonly feature: Int32Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly value: Float64Array;
  /** The most features on a path. */
  readonly most: number;
}

/** Documents at a time. */
const DOCUMENTS = 256;

export class TreeBackgroundKernel {
  readonly documents = DOCUMENTS;
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: ReturnType<typeof loadKernel<'tree-background'>>;
  readonly #at: { readonly [K in keyof Regions]: number };
  readonly #arrays: ReturnType<typeof arraysOf<Regions>>;
  readonly #features: number;
  readonly #others: number;

  /** Room for the largest of the trees, and so many other documents. */
  constructor(trees: readonly ForkedTree[], features: number, others: number) {
    const regions = regionsOf(trees, features, others);
    const arena = new Arena();
    this.#features = features;
    this.#others = others;
    this.#at = arena.takeAll(regions);
    this.#memory = new WebAssembly.Memory({ initial: arena.pages });
    this.#arrays = arraysOf(regions, this.#at, this.#memory.buffer);
    this.#kernel = loadKernel('tree-background', this.#memory);
    const most = Math.sqrt(this.#arrays.weights.length);
    this.#arrays.weights.set(orderWeights(most));
    this.#kernel.begin(this.#at.forks, this.#at.values, this.#at.marks, this.#at.weights, most, DOCUMENTS);
  }

  /** For each node of the tree at hand whether a document goes left: went[node * documents + document]. */
  get went(): Uint8Array {
    return this.#arrays.went;
  }

  /** The same of the others: othersWent[node * others + other]. */
  get othersWent(): Uint8Array {
    return this.#arrays.othersWent;
  }

  /** What is added to, a row of features and one more a document. */
  get out(): Float64Array {
    return this.#arrays.out;
  }

  /** Adds the mean over the other documents of what a tree has for n documents. */
  add({ feature, left, right, value }: ForkedTree, n: number): void {
    const fork = FORK.view(this.#memory.buffer, this.#at.forks);
    feature.forEach((own, node) => {
      fork.at(node).write({ left: left[node]!, right: right[node]!, feature: 8 * own });
    });
    value.forEach((one, leaf) => {
      this.#arrays.values[leaf] = one / this.#others;
    });
    const { went, othersWent, out } = this.#at;
    this.#kernel.against(went, n, othersWent, this.#others, this.#others, out, 8 * (this.#features + 1));
  }
}

type Regions = ReturnType<typeof regionsOf>;

function regionsOf(trees: readonly ForkedTree[], features: number, others: number) {
  const most = (of: (tree: ForkedTree) => number) => trees.reduce((largest, tree) => Math.max(largest, of(tree)), 1);
  const nodes = most(({ feature }) => feature.length);
  return {
    forks: records(FORK, nodes),
    values: f64(nodes + 1),
    marks: u8(features),
    weights: f64((most(tree => tree.most) + 1) ** 2),
    went: u8(nodes * DOCUMENTS),
    othersWent: u8(nodes * others),
    out: f64(DOCUMENTS * (features + 1)),
  };
}

/** weights[a * size + c] = (a - 1)! c! / (a + c)!: how often a given one comes last of a and before all c. */
export function orderWeights(size: number): Float64Array {
  const weights = new Float64Array(size * size);
  for (let a = 1; a < size; a++) {
    weights[a * size] = 1 / a;
    for (let c = 1; c < size; c++) weights[a * size + c] = (weights[a * size + c - 1]! * c) / (a + c);
  }
  return weights;
}
