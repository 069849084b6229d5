/** What the boosting kernels export; each is loaded over the one shared memory of a run. See src/kernels/assembly. */
import { loadKernel } from '../../../kernels/load.js';

export interface BinningExports extends WebAssembly.Exports {
  binColumn(values: number, n: number, edges: number, out: number): number;
  addBins(bins: number, n: number, step: number, states: number, out: number): void;
  rowsOfColumns(columns: number, apart: number, n: number, out: number, stride: number): void;
  rowsOfTiles(
    tiles: number,
    tileBytes: number,
    count: number,
    first: number,
    last: number,
    rows: number,
    stride: number,
  ): void;
  sortFloats(values: number, n: number, scratch: number, counts: number): void;
}

export interface HistogramExports extends WebAssembly.Exports {
  addTile(tile: number, records: number, n: number, histogram: number): void;
  addRows(
    rows: number,
    stride: number,
    first: number,
    last: number,
    index: number,
    n: number,
    records: number,
    histogram: number,
    buffer: number,
  ): void;
  addColumn(sum: number, part: number, bins: number): void;
  subtractColumn(parent: number, child: number, bins: number): void;
  clearTiles(histogram: number, tiles: number): void;
  cellsOfFeature(histogram: number, step: number, states: number, out: number): void;
  sumCells(histogram: number, out: number): void;
}

export interface SplitterExports extends WebAssembly.Exports {
  setUnits(lambda: number, hessian: number, l2: number, squares: number): void;
  bestSplit(
    histogram: number,
    bins: number,
    missing: number,
    out: number,
    lambda: number,
    hessian: number,
    documents: number,
    leastDocuments: number,
    leastHessian: number,
    leastGain: number,
  ): void;
}

export interface PartitionExports extends WebAssembly.Exports {
  partitionChunk(bins: number, shift: number, left: number, index: number, n: number, out: number): number;
  placeChunk(chunk: number, n: number, lefts: number, left: number, right: number): void;
  countUp(index: number, first: number, last: number): void;
  addToRows(index: number, n: number, value: number, scores: number): void;
  sumRows(index: number, n: number, lambdas: number, lambdaScale: number, hessianScale: number, out: number): void;
  quantise(lambdas: number, n: number, lambdaScale: number, hessianScale: number, records: number): void;
  sumMagnitudes(lambdas: number, first: number, last: number, out: number): void;
  setHessian(lambdas: number, first: number, last: number, value: number): void;
  addTree(
    rows: number,
    stride: number,
    first: number,
    last: number,
    nodes: number,
    sides: number,
    leaves: number,
    scores: number,
  ): void;
}

export interface SeparableExports extends WebAssembly.Exports {
  lambdasOfQueries(
    first: number,
    last: number,
    offsets: number,
    judged: number,
    depths: number,
    norms: number,
    weights: number,
    place: number,
    gain: number,
    end: number,
    discount: number,
    order: number,
    scores: number,
    unit: number,
    deviation: number,
    scratch: number,
    out: number,
  ): number;
}

export interface TreeKernels {
  readonly binning: BinningExports;
  readonly histogram: HistogramExports;
  readonly splitter: SplitterExports;
  readonly partition: PartitionExports;
  readonly separable: SeparableExports;
}

export function loadTreeKernels(memory: WebAssembly.Memory): TreeKernels {
  return {
    binning: loadKernel('binning', memory),
    histogram: loadKernel('histogram', memory),
    splitter: loadKernel('splitter', memory),
    partition: loadKernel('partition', memory),
    separable: loadKernel('separable-lambdas', memory),
  };
}
