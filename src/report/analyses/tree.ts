/** One tree of a model, drawn: on a page as a picture, on a terminal by indentation. */
import { splitShown } from '../../analysis/why-documents.js';
import { coversOf } from '../../models/shapley/tree-paths.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import type { TreeChart, TreeChartNode } from '../charts.js';
import { column } from '../columns.js';
import type { Document, TableBlock } from '../document.js';
import { counted } from '../words.js';
import { splitOf } from './why-documents.js';

/** A node or leaf of a tree as people read it. */
export interface ShownNode {
  /** Where a model file has it: node n, or leaf n. */
  readonly node?: number;
  readonly leaf?: number;
  readonly depth: number;
  /** The question of a split: "feature bm25 <= 3.5". */
  readonly split?: string;
  readonly gain?: number;
  readonly value?: number;
  /** Training documents, or their weight, that come here; left out where the model does not say. */
  readonly documents?: number;
  /** What leads here from the parent. */
  readonly answer: 'yes' | 'yes, missing' | 'no' | 'no, missing' | '';
}

/** `number` counts trees from 1. */
export function treeDocument(file: string, model: TreesModel, number: number): Document {
  const tree = model.trees[number - 1]!;
  const nodes = shownNodes(model, tree);
  return {
    title: `tree ${number} of ${file}`,
    verdict: `Tree ${number} of ${model.trees.length}: ${counted(tree.value.length, 'leaf', 'leaves')}, ${counted(new Set(tree.feature).size, 'feature')}.`,
    sections: [{ title: 'Tree', blocks: [picture(nodes, number), indented(nodes, number)] }],
  };
}

/** Parents before children, the one on the left first. */
export function shownNodes(model: TreesModel, tree: Tree): ShownNode[] {
  const shown: ShownNode[] = [];
  // Some systems write those of leaves only.
  const covers = tree.leafDocuments && coversOf(tree);
  const visit = (node: number, depth: number, answer: ShownNode['answer']): void => {
    if (node < 0) {
      const documents = tree.leafDocuments?.[~node];
      shown.push({
        leaf: ~node,
        depth,
        value: tree.value[~node]!,
        ...(documents !== undefined && { documents }),
        answer,
      });
      return;
    }
    const levels = tree.leftLevels?.[node];
    const split = { feature: tree.feature[node]!, threshold: tree.threshold[node]!, levels };
    const documents = tree.documents[node]! || (covers?.[node] ?? 0);
    shown.push({
      node,
      depth,
      split: splitOf(splitShown(model, split)),
      gain: tree.gain[node]!,
      answer,
      ...(documents > 0 && { documents }),
    });
    const missingLeft = tree.missingLeft[node] === 1;
    visit(tree.left[node]!, depth + 1, missingLeft ? 'yes, missing' : 'yes');
    visit(tree.right[node]!, depth + 1, missingLeft ? 'no' : 'no, missing');
  };
  visit(tree.feature.length === 0 ? ~0 : 0, 0, '');
  return shown;
}

function picture(nodes: readonly ShownNode[], number: number): TreeChart {
  const total = nodes[0]!.documents;
  const drawn: (TreeChartNode & { parent?: number })[] = [];
  // In order: what is above a node on the page is its left side.
  const visit = (at: number): { end: number; place: number } => {
    const { depth, split, documents = Number.NaN, value, answer } = nodes[at]!;
    const share = total === undefined ? Number.NaN : documents / total;
    if (split === undefined) {
      drawn.push({ label: '', depth, answer, share, value: value! });
      return { end: at + 1, place: drawn.length - 1 };
    }
    const left = visit(at + 1);
    const place = drawn.push({ label: split, depth, answer, share }) - 1;
    const right = visit(left.end);
    for (const child of [left.place, right.place]) drawn[child] = { ...drawn[child]!, parent: place };
    return { end: right.end, place };
  };
  visit(0);
  return {
    kind: 'tree',
    title: `Tree ${number}`,
    note: 'From the root on the left: yes goes up, no goes down. Lines are as thick as the share of training documents that go there; leaves have what they add to the score.',
    valueLabel: 'adds to the score',
    nodes: drawn,
  };
}

function indented(nodes: readonly ShownNode[], number: number): TableBlock {
  return {
    kind: 'table',
    title: `Tree ${number}, line by line`,
    columns: [
      column('tree'),
      // XGBoost counts the sum of hessians.
      column(nodes.every(({ documents = 0 }) => Number.isInteger(documents)) ? 'documents' : 'weight', 'general', {
        digits: 7,
      }),
      column('gain', 'significant'),
      column('adds', 'difference'),
    ],
    rows: nodes.map(({ depth, split, leaf, answer, documents = Number.NaN, gain = Number.NaN, value = Number.NaN }) => [
      `${'|  '.repeat(depth)}${answer === '' ? '' : `${answer}: `}${split ?? `leaf ${leaf}`}`,
      documents,
      gain,
      value,
    ]),
  };
}
