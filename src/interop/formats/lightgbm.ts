/**
 * LightGBM's text format. Its rule: value <= threshold goes left, in float64; leaf values and sums are float64, added
 * in the order of the trees from zero, so a model scores here to the bit as there. Features are float32 here: how
 * thresholds are narrowed and widened is in float32.ts. Values up to 1e-35 from zero count as zero. What a missing
 * value is, each node says for itself: NaN, or zero and NaN (`zero_as_missing`), or nothing, and then NaN counts as
 * zero.
 */
import { few, plural, quote } from '../../errors.js';
import { levelsOf } from '../../kernels/level-set.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import { describedCategories, isByCategory } from '../categories.js';
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
import { JsonReader } from '../json-reader.js';
import { buildTree, type ReadNode, treesModel } from '../tree-builder.js';
import { countNodes, noteWidth, treesWithBase } from '../tree-writer.js';

/** Bits of `decision_type`. */
export const CATEGORICAL = 1;
export const DEFAULT_LEFT = 2;
export const MISSING_SHIFT = 2;
export const MISSING = { none: 0, zero: 1, nan: 2 };
/** What LightGBM takes for zero, in every value that it reads. */
const LARGEST_ZERO = Math.fround(1e-35);

const SIGMOID = 'a sigmoid of the sum';

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
  binary: SIGMOID,
  cross_entropy: SIGMOID,
  cross_entropy_lambda: 'log(1 + exp(sum))',
};

// ---- reading

type Section = Map<string, { text: string; line: number }>;

function read(content: Uint8Array, job: ImportJob): TreesModel {
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
  noteOutput(header!.get('objective')?.text ?? 'custom', job);
  const read = sections.map((section, i) => readTree(section, i, names, job));
  if (read.length === 0) invalid(job, 'there are no trees in the file');
  const unnamed = names.every((name, column) => name === `Column_${column}`);
  const { featureNames, trees } = nameColumns({ width, names: unnamed ? undefined : names }, read, job);
  const description = unnamed ? undefined : describedCategories(namedLevels(textOf(content), header!, names, job));
  const averaged = header!.has('average_output') ? averagedTrees(trees, job) : trees;
  return treesModel({ featureNames, trees: averaged, description });
}

export function averagedTrees(trees: readonly Tree[], job: ImportJob): Tree[] {
  job.changes.notice(
    `LightGBM divides the sum of this random forest by ${trees.length}; here leaf values are divided, and sums can differ in their last digit`,
  );
  return trees.map(tree => ({ ...tree, value: tree.value.map(value => value / trees.length) }));
}

const PANDAS = 'pandas_categorical';

/** A line at the end has the levels of each category that pandas had, in the order of their columns. */
function namedLevels(
  text: string,
  header: Section,
  names: readonly string[],
  job: ImportJob,
): Record<string, readonly string[]> {
  const written = new RegExp(`^${PANDAS}:(.*)$`, 'm').exec(text)?.[1]?.trim() ?? 'null';
  const given: unknown = written === 'null' ? [] : JsonReader.parse(new TextEncoder().encode(written), job).value;
  const lists = Array.isArray(given) && given.every(Array.isArray) ? given : [];
  // Numbers are [LEAST:MOST], categories A:B:C.
  const infos = header.get('feature_infos')?.text.split(' ') ?? [];
  const columns = names.filter((_, column) => /^-?\d+(:-?\d+)*$/.test(infos[column] ?? ''));
  if (lists.length !== columns.length) {
    if (lists.length > 0)
      job.changes.notice(
        `the file names the levels of ${plural(lists.length, 'category', 'categories')} but does not say which columns they are: levels are known by their codes`,
      );
    return {};
  }
  return Object.fromEntries(columns.map((name, i) => [name, lists[i]!.map(String)]));
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
    const before = sections.at(-1)!.get(key);
    if (before !== undefined) {
      invalid(job, `${quote(key)} is there twice, in line ${before.line} already; which is meant?`, i + 1);
    }
    sections.at(-1)!.set(key, { text: at < 0 ? '' : line.slice(at + 1), line: i + 1 });
  }
  if (!ended) invalid(job, 'the line "end of trees" is missing: the file was cut off');
  return sections;
}

/** Says where predictions are not the sum: `objective` is its name and its settings. */
export function noteOutput(objectiveText: string, job: ImportJob): void {
  const [objective, ...settings] = objectiveText.split(' ');
  const output = settings.includes('sqrt') ? 'the signed square of the sum' : outputs[objective!];
  if (output === undefined) {
    job.changes.loses(`its objective ${quote(objective!)} is not known; scores are the sums of leaves`);
  } else if (output !== 'the sum') {
    const loss = `with objective ${quote(objective!)} LightGBM predicts ${output}; scores here are the sums, in the same order`;
    if (output === SIGMOID && settings.every(setting => !/^sigmoid:(?!1$)/.test(setting)))
      job.changes.applies('sigmoid', loss);
    else job.changes.loses(loss);
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
  const sets = numbers('num_cat', 1, 0)[0]!;
  const bounds = sets > 0 ? numbers('cat_boundaries', sets + 1) : [];
  const words = sets > 0 ? numbers('cat_threshold', bounds[sets]!) : [];
  // Whatever is not in the set goes right, a missing value too.
  const setOf = (set: number): Uint32Array => {
    if (!(set >= 0 && set < sets)) fail('threshold', `of splits by category from 0 to ${sets - 1} (num_cat)`);
    return Uint32Array.from(words.slice(bounds[set], bounds[set + 1]));
  };
  const nodeOf = (id: number): ReadNode<number> => {
    if (!Number.isInteger(id) || id >= nodes || id < -leaves)
      return fail('left_child', `or "right_child" from ${-leaves} to ${nodes - 1}`);
    if (id < 0) return { value: value[~id]!, documents: leafDocuments[~id]! };
    const type = decision[id]!;
    return {
      feature: feature[id]!,
      left: left[id]!,
      right: right[id]!,
      gain: gain[id]!,
      documents: documents[id]!,
      ...(type & CATEGORICAL
        ? { threshold: 0, missingLeft: false, levels: setOf(threshold[id]!) }
        : testOf(threshold[id]!, type)),
    };
  };
  return buildTree(0, nodeOf, job);
}

/** The threshold and what is missing; zeros are left to the threshold where that sends them the same way. */
export function testOf(
  threshold: number,
  type: number,
): { threshold: number; missingLeft: boolean; zeroMissing: boolean } {
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

/** Where features go, and what their columns are called: numbers where they have no names. */
export function lightgbmColumns(model: TreesModel, job: ExportJob) {
  const columns = columnsOf(model.featureNames, job);
  const names = columns.names ?? Array.from({ length: columns.width }, (_, column) => `Column_${column}`);
  const wrong = names.filter(name => name === '' || /[\s",:[\]{}]/.test(name));
  if (wrong.length > 0) {
    inexpressible(
      `LightGBM's names of features hold no blanks, quotes, commas, colons and brackets; found ${few(wrong.map(quote))}`,
    );
  }
  return { columns, names };
}

function write(model: TreesModel, job: ExportJob): WrittenFile[] {
  const { columns, names } = lightgbmColumns(model, job);
  noteWidth(model, 'float64', job);
  loseTinyThresholds(model, job.changes);
  loseMissingLevels(model, job.changes);
  const { infos, pandas } = categoriesOf(model, names.length, columns.of);
  const used = new Set(model.trees.flatMap(tree => [...tree.feature]).map(f => columns.of[f]));
  const head = [
    'tree',
    'version=v4',
    'num_class=1',
    'num_tree_per_iteration=1',
    'label_index=0',
    `max_feature_idx=${columns.width - 1}`,
    `objective=${objectiveOf(job)}`,
    `feature_names=${names.join(' ')}`,
    `feature_infos=${names.map((_, column) => infos[column] ?? (used.has(column) ? '[-3.4e+38:3.4e+38]' : 'none')).join(' ')}`,
  ];
  const trees = treesWithBase(model).map((tree, i) => printTree(tree, i, columns.of));
  return [{ path: job.target, content: `${head.join('\n')}\n\n${trees.join('\n\n')}\n\nend of trees\n${pandas}` }];
}

/** By what LightGBM is to make of the sum. */
export function objectiveOf({ transform }: ExportJob): string {
  return transform === 'sigmoid' ? 'binary sigmoid:1' : 'lambdarank';
}

/** How the header tells categories, and the line that names their levels, as LightGBM's own files have it. */
function categoriesOf(model: TreesModel, width: number, columns: Int32Array) {
  const levels = new Map<number, Set<number>>();
  for (const tree of model.trees) {
    tree.leftLevels?.forEach((set, node) => {
      if (set === undefined) return;
      const column = columns[tree.feature[node]!]!;
      levels.set(column, new Set([...(levels.get(column) ?? []), ...levelsOf(set)]));
    });
  }
  const described = model.description?.categories ?? {};
  const infos: (string | undefined)[] = Array.from({ length: width });
  const names: (readonly string[])[] = Array.from({ length: width });
  model.featureNames.forEach((name, f) => {
    const column = columns[f]!;
    const own = described[name];
    const codes = own === undefined ? [...(levels.get(column) ?? [])] : [...own.keys()];
    if (!levels.has(column)) return;
    infos[column] = codes.sort((a, b) => a - b).join(':');
    if (own !== undefined) names[column] = own;
  });
  const complete = infos.every((info, column) => info === undefined || names[column] !== undefined);
  const lists = names.filter(own => own !== undefined);
  return { infos, pandas: complete && lists.length > 0 ? `\n${PANDAS}:${JSON.stringify(lists)}\n` : '' };
}

/** A missing value is in no set there. */
export function loseMissingLevels(model: TreesModel, changes: Changes): void {
  const count = countNodes(model, (tree, node) => isByCategory(tree, node) && tree.missingLeft[node] === 1);
  if (count > 0)
    changes.loses(
      `missing values go right at every split by category in LightGBM; ${plural(count, 'split')} of the model ${count === 1 ? 'sends' : 'send'} them left`,
    );
}

export function loseTinyThresholds(model: TreesModel, changes: Changes): void {
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
    if (isByCategory(tree, node)) return CATEGORICAL | (MISSING.nan << MISSING_SHIFT);
    const missing = tree.zeroMissing?.[node] === 1 ? MISSING.zero : MISSING.nan;
    return (missing << MISSING_SHIFT) | (left === 1 ? DEFAULT_LEFT : 0);
  });
  const sets = (tree.leftLevels ?? []).filter(set => set !== undefined);
  let words = 0;
  let set = 0;
  const threshold = Array.from(tree.threshold, (value, node) =>
    isByCategory(tree, node) ? set++ : wideThreshold(value),
  );
  const categories = [
    list('cat_boundaries', [0, ...sets.map(own => (words += own.length))]),
    `cat_threshold=${sets.map(own => own.join(' ')).join(' ')}`,
  ];
  return [
    `Tree=${number}`,
    `num_leaves=${tree.value.length}`,
    `num_cat=${sets.length}`,
    list(
      'split_feature',
      tree.feature.map(f => columns[f]!),
    ),
    list('split_gain', tree.gain),
    list('threshold', threshold),
    list('decision_type', decision),
    list('left_child', tree.left),
    list('right_child', tree.right),
    ...(sets.length > 0 ? categories : []),
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
  recognise: start => /^tree\r?\n(version|num_class)=/.test(start),
  reads: ['trees'],
  read,
  writes: { trees: write },
  transforms: { trees: ['sigmoid'] },
};
