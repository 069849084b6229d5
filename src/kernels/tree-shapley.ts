/**
 * Shapley values by the paths of a tree. A leaf of value v adds v * prod over its path's features j of (o_j or z_j) to
 * the score that is expected where some features are known. For those that are, o_j is 1 where the document passes the
 * feature's splits on the path and 0 where not; for others, z_j is the share of training documents that pass them. The
 * value of feature f is then the sum over leaves of
 *
 *   v (o_f - z_f) * integral over t from 0 to 1 of prod over j != f of (t o_j + (1 - t) z_j)
 *
 * since a feature is known before f with probability t where orders are drawn by giving each feature a uniform time.
 * The integrand is a polynomial: a quadrature of half as many points as a path has features has no error. At each point
 * products go down the tree once, sums of leaves come up once (as in Linear TreeSHAP: Yu, Xu, Bifet and Read 2022).
 */
import { gaussLegendre } from '../numeric/gauss-legendre.js';
import { Arena, arraysOf, f64, records, u8, u32 } from './arena.js';
import { EDGE, STATES } from './layouts/tree-shapley.js';
import { loadKernel } from './load.js';

/** A tree: children before which stand their parents, a leaf as ~leaf; for edges see models/shapley/tree-paths.ts. */
export interface ShapleyTree {
  readonly feature: Int32Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly value: Float64Array;
  readonly above: Int32Array;
  readonly share: Float64Array;
  readonly paths: readonly Uint32Array[];
  readonly most: number;
}

export class TreeShapleyKernel {
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: ReturnType<typeof loadKernel<'tree-shapley'>>;
  readonly #at: { readonly [K in keyof Regions]: number };
  readonly #arrays: ReturnType<typeof arraysOf<Regions>>;
  readonly #pairs: boolean;
  readonly #features: number;
  #tree: ShapleyTree | undefined;
  /** Bytes of the products of a node: points of the quadrature, 8 bytes each. */
  #bytes = 0;
  /** Documents at a time. */
  readonly documents: number;

  /** Room for the largest of the trees; `pairs` for interactions, of which each document has a matrix. */
  constructor(trees: readonly ShapleyTree[], features: number, pairs: boolean) {
    const cells = pairs ? (features + 1) ** 2 : features + 1;
    this.#pairs = pairs;
    this.#features = features;
    this.documents = Math.max(1, Math.min(MOST_DOCUMENTS, Math.floor(OUT_BYTES / 8 / cells)));
    const regions = regionsOf(trees, this.documents, cells, pairs);
    const arena = new Arena();
    this.#at = arena.takeAll(regions);
    this.#memory = new WebAssembly.Memory({ initial: arena.pages });
    this.#arrays = arraysOf(regions, this.#at, this.#memory.buffer);
    this.#kernel = loadKernel('tree-shapley', this.#memory);
  }

  /** For each node of the tree at hand and each document whether it goes left: went[node * documents + document]. */
  get went(): Uint8Array {
    return this.#arrays.went;
  }

  /** What is added to, a row or a matrix of features and one more a document. */
  get out(): Float64Array {
    return this.#arrays.out;
  }

  /** Takes a tree with at least one node at hand. */
  load(tree: ShapleyTree): void {
    const points = pointsFor(tree.most);
    this.#tree = tree;
    this.#bytes = 8 * points;
    const { slots, tables, states, paths, shares } = this.#arrays;
    const { points: t, weights } = gaussLegendre(points);
    slots.set(weights);
    states[0] = 1;
    this.#writeEdges(tree, points);
    fillTables(tree, t, tables);
    if (!this.#pairs) return;
    fillShares(tree, t, shares);
    let at = 0;
    for (const path of tree.paths) {
      paths[at] = path.length;
      paths.set(path, at + 1);
      at += path.length + 1;
    }
  }

  #writeEdges({ feature, left, right, above }: ShapleyTree, points: number): void {
    const edge = EDGE.view(this.#memory.buffer, this.#at.edges);
    const nodes = feature.length;
    for (let node = 0; node < nodes; node++) {
      for (let side = 0; side < 2; side++) {
        const child = side === 0 ? left[node]! : right[node]!;
        edge.at(2 * node + side);
        edge.child = 8 * points * (child < 0 ? nodes + ~child : child);
        edge.feature = 8 * feature[node]!;
        edge.above = above[2 * node + side]! + 1;
      }
    }
  }

  /** Adds what the tree at hand has for n documents to `out`. */
  add(n: number): void {
    const { edges, tables, went, slots, states, out, paths, shares, scratch } = this.#at;
    const nodes = this.#tree!.feature.length;
    const bytes = this.#bytes;
    const rowBytes = 8 * (this.#features + 1);
    if (this.#pairs) {
      this.#kernel.interactions(
        ...([edges, nodes, bytes, tables, went, this.documents, slots, states] as const),
        ...([n, out, rowBytes * (this.#features + 1), paths, shares, rowBytes, scratch] as const),
      );
    } else {
      this.#kernel.values(edges, nodes, bytes, tables, went, this.documents, slots, states, n, out, rowBytes);
    }
  }
}

const MOST_DOCUMENTS = 512;
/** Results that are worked on at a time: they should stay in a core's cache. */
const OUT_BYTES = 1 << 22;

/** Even, as two are worked on at once. */
function pointsFor(most: number): number {
  return 2 * Math.ceil(most / 4);
}

type Regions = ReturnType<typeof regionsOf>;

function regionsOf(trees: readonly ShapleyTree[], documents: number, cells: number, pairs: boolean) {
  const most = (of: (tree: ShapleyTree) => number) => trees.reduce((largest, tree) => Math.max(largest, of(tree)), 1);
  const nodes = most(({ feature }) => feature.length);
  const points = pointsFor(most(tree => tree.most));
  return {
    edges: records(EDGE, 2 * nodes),
    states: u8(2 * nodes + 1),
    slots: f64(most(({ feature }) => (2 * feature.length + 1) * points)),
    tables: f64(2 * nodes * STATES * 2 * points),
    went: u8(nodes * documents),
    out: f64(documents * cells),
    paths: u32(pairs ? most(tree => tree.paths.reduce((sum, path) => sum + 1 + path.length, 0)) : 0),
    shares: f64(pairs ? 2 * nodes * 2 * points : 0),
    // Products of a leaf, and 8 bytes a feature of its path.
    scratch: f64(points + most(tree => tree.most)),
  };
}

/**
 * For each edge and state, what takes products from the parent to the child and what the feature makes of the sum of
 * leaves below. Where an edge above splits the same feature, its part is taken back: the edges are one condition.
 */
function fillTables({ above, share, left, right, value }: ShapleyTree, t: Float64Array, tables: Float64Array): void {
  const points = t.length;
  for (let edge = 0; edge < above.length; edge++) {
    const upper = above[edge]!;
    const z = share[edge]!;
    const before = upper < 0 ? 1 : share[upper]!;
    const child = edge % 2 === 0 ? left[edge >> 1]! : right[edge >> 1]!;
    const leaf = child < 0 ? value[~child]! : 1;
    const at = edge * STATES * 2 * points;
    for (let q = 0; q < points; q++) {
      const known = t[q]!;
      const unknown = 1 - known;
      const passed = upper < 0 ? 1 : known + unknown * before;
      const taken = upper < 0 ? 0 : (1 - before) / passed;
      const passes = known + unknown * z;
      tables[at + q] = (leaf * unknown * z) / passed;
      tables[at + points + q] = -1 / unknown - taken;
      tables[at + 2 * points + q] = (leaf * passes) / passed;
      tables[at + 3 * points + q] = (1 - z) / passes - taken;
      tables[at + 4 * points + q] = before === 0 ? 0 : (leaf * z) / before;
      tables[at + 5 * points + q] = 0;
    }
  }
}

/** For each edge, what its feature makes of a leaf below where the document does not pass, and where it does. */
function fillShares({ share }: ShapleyTree, t: Float64Array, shares: Float64Array): void {
  const points = t.length;
  for (let edge = 0; edge < share.length; edge++) {
    for (let q = 0; q < points; q++) {
      const [known, z] = [t[q]!, share[edge]!];
      shares[2 * edge * points + q] = -1 / (1 - known);
      shares[(2 * edge + 1) * points + q] = (1 - z) / (known + (1 - known) * z);
    }
  }
}
