/**
 * LightGBM's text format. Its rule: value <= threshold goes left, in float64; leaf values and sums are float64, added
 * in the order of the trees from zero, so a model scores here to the bit as there. Features are float32 here: how
 * thresholds are narrowed and widened is in float32.ts. Values up to 1e-35 from zero count as zero. What a missing
 * value is, each node says for itself: NaN, or zero and NaN (`zero_as_missing`), or nothing, and then NaN counts as
 * zero.
 */
import { few, plural, quote } from '../../errors.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import { columnsOf, nameColumns } from '../features.js';
import { narrowThreshold, nextBelow, wideThreshold } from '../float32.js';
import {
  type Changes,
  type ExportJob,
  type ImportJob,
  inexpressible,
  invalid,
  type ModelFormat,
  textOf,
  unsupported,
  type WrittenFile,
} from '../format.js';
import { buildTree, type ReadNode, treesModel } from '../tree-builder.js';
import { countNodes, noteWidth, treesWithBase } from '../tree-writer.js';

/** Bits of `decision_type`. */
const CATEGORICAL = 1;
const DEFAULT_LEFT = 2;
const MISSING_SHIFT = 2;
const MISSING = { none: 0, zero: 1, nan: 2 };
/** What LightGBM takes for zero, in every value that it reads. */
const LARGEST_ZERO = Math.fround(1e-35);

/** What LightGBM's predictions are of the sum of leaves. */
const outputs: Readonly<Record<string, string>> = {
  lambdarank: 'the sum',
  rank_xendcg: 'the sum',
  regression: 'the sum',
  regression_l1: 'the sum',
  huber: 'the sum',
  fair: 'the sum',
  quantile: 'the sum',
  mape: 'the sum',
  custom: 'the sum',
  poisson: 'exp(sum)',
  gamma: 'exp(sum)',
  tweedie: 'exp(sum)',
  binary: 'a sigmoid of the sum',
  cross_entropy: 'a sigmoid of the sum',
  cross_entropy_lambda: 'log(1 + exp(sum))',
};

// ---- reading

type Section = Map<string, { text: string; line: number }>;

/** What `dump_model` gives: nested trees, which LightGBM itself does not read. */
const JSON_DUMP = /^\s*\{\s*"name"\s*:\s*"tree"/;

function read(content: Uint8Array, job: ImportJob): TreesModel {
  if (JSON_DUMP.test(textOf(content.subarray(0, 256))))
    unsupported(job, "it is LightGBM's dump as JSON; save the model as text, with save_model");
  const [header, ...sections] = sectionsOf(textOf(content), job);
  if (!header!.has('version'))
    unsupported(
      job,
      'it has no "version", as files of early versions of LightGBM; load it and save it again with a newer one',
    );
  const whole = (key: string, or?: number) => {
    const found = header!.get(key);
    if (found === undefined && or !== undefined) return or;
    const value = Number(found?.text);
    if (!Number.isInteger(value))
      invalid(job, `"${key}" must be a whole number, found ${shown(found?.text)}`, found?.line);
    return value;
  };
  const classes = whole('num_class');
  if (classes !== 1 || whole('num_tree_per_iteration', 1) !== 1) {
    unsupported(
      job,
      `a model of ${plural(classes, 'class', 'classes')} has several scores a document; a ranking needs one`,
    );
  }
  const width = whole('max_feature_idx') + 1;
  const names = header!.get('feature_names')?.text.split(' ').filter(Boolean) ?? [];
  if (names.length !== width) invalid(job, `there are ${names.length} feature names for ${width} features`);
  noteOutput(header!, job);
  const read = sections.map((section, i) => readTree(section, i, names, job));
  if (read.length === 0) invalid(job, 'there are no trees in the file');
  const unnamed = names.every((name, column) => name === `Column_${column}`);
  const { featureNames, trees } = nameColumns({ width, names: unnamed ? undefined : names }, read, job);
  if (!header!.has('average_output')) return treesModel({ featureNames, trees });
  job.changes.notice(
    `LightGBM divides the sum of this random forest by ${trees.length}; here leaf values are divided, and sums can differ in their last digit`,
  );
  const divided = trees.map(tree => ({ ...tree, value: tree.value.map(value => value / trees.length) }));
  return treesModel({ featureNames, trees: divided });
}

/** The header and one section a tree: lines KEY=VALUE. */
function sectionsOf(text: string, job: ImportJob): Section[] {
  const sections: Section[] = [new Map()];
  let ended = false;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line === 'end of trees') {
      ended = true;
      break;
    }
    if (line === '') continue;
    const at = line.indexOf('=');
    const key = at < 0 ? line : line.slice(0, at);
    if (key === 'Tree') sections.push(new Map());
    sections.at(-1)!.set(key, { text: at < 0 ? '' : line.slice(at + 1), line: i + 1 });
  }
  if (!ended) invalid(job, 'the line "end of trees" is missing: the file was cut off');
  return sections;
}

function noteOutput(header: Section, job: ImportJob): void {
  const [objective, ...settings] = (header.get('objective')?.text ?? 'custom').split(' ');
  const output = settings.includes('sqrt') ? 'the signed square of the sum' : outputs[objective!];
  if (output === undefined) {
    job.changes.loses(`its objective ${quote(objective!)} is not known; scores are the sums of leaves`);
  } else if (output !== 'the sum') {
    job.changes.loses(
      `with objective ${quote(objective!)} LightGBM predicts ${output}; scores here are the sums, in the same order`,
    );
  }
}

function readTree(section: Section, number: number, names: readonly string[], job: ImportJob): Tree {
  const fail = (key: string, wanted: string): never => {
    const found = section.get(key);
    const line = found?.line ?? section.get('Tree')!.line;
    return invalid(job, `"${key}" of tree ${number} must be ${wanted}, found ${shown(found?.text)}`, line);
  };
  const numbers = (key: string, length: number, or?: number): number[] => {
    const text = section.get(key)?.text;
    if (text === undefined && or !== undefined) return Array(length).fill(or);
    const values = (text ?? '').split(' ').filter(Boolean).map(numberOf);
    if (values.length !== length || values.some(Number.isNaN)) return fail(key, `${length} numbers`);
    return values;
  };
  if (Number(section.get('is_linear')?.text ?? 0) !== 0) {
    unsupported(job, `tree ${number} has linear models in its leaves (linear_tree); leaves are constants here`);
  }
  const leaves = numbers('num_leaves', 1)[0]!;
  if (!Number.isInteger(leaves) || leaves < 1) fail('num_leaves', 'a whole number of at least 1');
  const value = numbers('leaf_value', leaves);
  const nodes = leaves - 1;
  const leafDocuments = numbers('leaf_count', leaves, 0);
  if (nodes === 0) return buildTree<number>(~0, () => ({ value: value[0]! }), job);
  const feature = numbers('split_feature', nodes);
  if (!feature.every(f => Number.isInteger(f) && f >= 0 && f < names.length))
    fail('split_feature', `numbers from 0 to ${names.length - 1}`);
  const threshold = numbers('threshold', nodes);
  const decision = numbers('decision_type', nodes, 0);
  const left = numbers('left_child', nodes);
  const right = numbers('right_child', nodes);
  const gain = numbers('split_gain', nodes, 0);
  const documents = numbers('internal_count', nodes, 0);
  const nodeOf = (id: number): ReadNode<number> => {
    if (!Number.isInteger(id) || id >= nodes || id < -leaves)
      return fail('left_child', `or "right_child" from ${-leaves} to ${nodes - 1}`);
    if (id < 0) return { value: value[~id]!, documents: leafDocuments[~id]! };
    const type = decision[id]!;
    if (type & CATEGORICAL) {
      const name = quote(names[feature[id]!]!);
      unsupported(job, `tree ${number} splits feature ${name} by categories; splits are by thresholds here`);
    }
    return {
      feature: feature[id]!,
      left: left[id]!,
      right: right[id]!,
      gain: gain[id]!,
      documents: documents[id]!,
      ...testOf(threshold[id]!, type),
    };
  };
  return buildTree(0, nodeOf, job);
}

/** The threshold and what is missing; zeros are left to the threshold where that sends them the same way. */
function testOf(threshold: number, type: number): { threshold: number; missingLeft: boolean; zeroMissing: boolean } {
  const defaultLeft = (type & DEFAULT_LEFT) !== 0;
  const missing = type >> MISSING_SHIFT;
  const zeroLeft = 0 <= threshold;
  return {
    threshold: besideZero(narrowThreshold(threshold)),
    missingLeft: missing === MISSING.none ? zeroLeft : defaultLeft,
    zeroMissing: missing === MISSING.zero && defaultLeft !== zeroLeft,
  };
}

/** The threshold moved off the values that count as zero, all of which go where zero goes. */
function besideZero(threshold: number): number {
  if (Math.abs(threshold) > LARGEST_ZERO) return threshold;
  return 0 <= threshold ? LARGEST_ZERO : nextBelow(-LARGEST_ZERO);
}

/** C++ writes infinity as `inf`: a threshold that only missing values do not pass. */
function numberOf(text: string): number {
  const infinite = /^([+-]?)inf(inity)?$/i.exec(text);
  return infinite ? (infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY) : Number(text);
}

function shown(text: string | undefined): string {
  return text === undefined ? 'nothing' : quote(text);
}

// ---- writing

function write(model: TreesModel, job: ExportJob): WrittenFile[] {
  const columns = columnsOf(model.featureNames, job);
  const names = columns.names ?? Array.from({ length: columns.width }, (_, column) => `Column_${column}`);
  const wrong = names.filter(name => name === '' || /[\s",:[\]{}]/.test(name));
  if (wrong.length > 0) {
    inexpressible(
      `LightGBM's names of features hold no blanks, quotes, commas, colons and brackets; found ${few(wrong.map(quote))}`,
    );
  }
  noteWidth(model, 'float64', job.changes);
  loseTinyThresholds(model, job.changes);
  const used = new Set(model.trees.flatMap(tree => [...tree.feature]).map(f => columns.of[f]));
  const head = [
    'tree',
    'version=v4',
    'num_class=1',
    'num_tree_per_iteration=1',
    'label_index=0',
    `max_feature_idx=${columns.width - 1}`,
    'objective=lambdarank',
    `feature_names=${names.join(' ')}`,
    `feature_infos=${names.map((_, column) => (used.has(column) ? '[-3.4e+38:3.4e+38]' : 'none')).join(' ')}`,
  ];
  const trees = treesWithBase(model).map((tree, i) => printTree(tree, i, columns.of));
  return [{ path: job.target, content: `${head.join('\n')}\n\n${trees.join('\n\n')}\n\nend of trees\n` }];
}

function loseTinyThresholds(model: TreesModel, changes: Changes): void {
  const tiny = (threshold: number) => threshold !== 0 && Math.abs(threshold) < LARGEST_ZERO;
  const count = countNodes(model, (tree, node) => tiny(tree.threshold[node]!));
  if (count === 0) return;
  const are = `${plural(count, 'threshold')} of the model ${count === 1 ? 'is' : 'are'}`;
  changes.loses(`${are} within 1e-35 of zero; LightGBM takes values there for zero`);
}

function printTree(tree: Tree, number: number, columns: Int32Array): string {
  const list = (key: string, values: ArrayLike<number>) => `${key}=${Array.from(values).join(' ')}`;
  const zeros = new Array(tree.feature.length).fill(0);
  const leafZeros = new Array(tree.value.length).fill(0);
  const decision = Array.from(tree.missingLeft, (left, node) => {
    const missing = tree.zeroMissing?.[node] === 1 ? MISSING.zero : MISSING.nan;
    return (missing << MISSING_SHIFT) | (left === 1 ? DEFAULT_LEFT : 0);
  });
  return [
    `Tree=${number}`,
    `num_leaves=${tree.value.length}`,
    'num_cat=0',
    list(
      'split_feature',
      tree.feature.map(f => columns[f]!),
    ),
    list('split_gain', tree.gain),
    list('threshold', Array.from(tree.threshold, wideThreshold)),
    list('decision_type', decision),
    list('left_child', tree.left),
    list('right_child', tree.right),
    list('leaf_value', tree.value),
    list('leaf_weight', leafZeros),
    list('leaf_count', tree.leafDocuments?.map(Math.round) ?? leafZeros),
    list('internal_value', zeros),
    list('internal_weight', zeros),
    list('internal_count', tree.documents.map(Math.round)),
    'is_linear=0',
    'shrinkage=1',
  ].join('\n');
}

export const lightgbm: ModelFormat = {
  name: 'lightgbm',
  title: 'LightGBM model (text)',
  rule: '`<=` goes left, float64; a missing value goes the way of its node, or counts as 0; float64 sums',
  recognise: start => /^tree\r?\n(version|num_class)=/.test(start) || JSON_DUMP.test(start),
  reads: ['trees'],
  read,
  writes: { trees: write },
};
