/**
 * CatBoost's model as JSON (save_model with format="json"): oblivious trees, one test a level, or trees of nested
 * nodes. Its rule: value > border goes right, in float32; a missing value is below or above all borders, as the feature
 * says. A level of a category is known by a hash, and a split asks for one of them; which text has which hash the file
 * says where it was saved with the pool. The score is scale x sum + bias, in float64.
 */
import { quote } from '../../errors.js';
import type { LevelSet } from '../../kernels/level-set.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import { describedCategories, readLevelSet } from '../categories.js';
import { checkWidth, distinct, nameColumns } from '../features.js';
import { type ImportJob, invalid, type ModelFormat, unsupported } from '../format.js';
import { JsonReader } from '../json-reader.js';
import { buildTree, type ReadNode, treesModel } from '../tree-builder.js';
import { writeCatboost } from './catboost-write.js';

/** CatBoost's own limit of levels. */
const MOST_DEPTH = 16;

interface Feature {
  /** Place among all features. */
  readonly column: number;
  /** Empty where it has none. */
  readonly name: string;
}

interface Category extends Feature {
  /** Levels by their place, which is their code here, and the code of each hash. */
  readonly levels: readonly string[];
  readonly codes: ReadonlyMap<number, number>;
}

interface Features {
  readonly numbers: ReadonlyMap<number, Feature & { readonly missingLeft: boolean }>;
  readonly categories: ReadonlyMap<number, Category>;
}

function read(content: Uint8Array, job: ImportJob): TreesModel {
  const file = JsonReader.parse(content, job);
  const features = featuresOf(file.at('features_info'));
  const [scale, bias] = file.has('scale_and_bias') ? scaleAndBias(file.at('scale_and_bias'), job) : [1, 0];
  const leaf = (value: number) => value * scale;
  const trees = file.has('oblivious_trees')
    ? file
        .at('oblivious_trees')
        .list()
        .map(tree => obliviousTree(tree, features, leaf, job))
    : file
        .at('trees')
        .list()
        .map(tree => buildTree(tree, node => nestedNode(node, features, leaf, job), job));
  if (scale !== 1 || bias !== 0)
    job.changes.notice(
      'CatBoost multiplies the sum of leaves by its scale and then adds its bias; here sums begin at the bias, and can differ in their last digit',
    );
  notePredictions(file, job);
  const featureNames = namesOf(features, trees, job);
  const levels = [...features.categories.values()].map(
    ({ column, levels }) => [featureNames[column]!, levels] as const,
  );
  return treesModel({ featureNames, trees, base: bias, description: describedCategories(Object.fromEntries(levels)) });
}

/** Columns count from 0, whatever the data was; one without a name among others that have some is its number. */
function namesOf({ numbers, categories }: Features, trees: readonly Tree[], job: ImportJob): string[] {
  const names: string[] = [];
  for (const { column, name } of [...numbers.values(), ...categories.values()]) {
    checkWidth(column + 1, job);
    names[column] = name;
  }
  if (names.every(name => name === ''))
    return nameColumns({ width: names.length, usesFirst: true }, trees, job).featureNames;
  return distinct(
    Array.from(names, (name, column) => name || String(column)),
    job,
  );
}

const exponential = 'exp(sum)';
const sigmoid = 'a sigmoid of the sum, or the class';
/** What CatBoost's regressors and classifiers predict by default, where it is not the sum, by the loss function. */
const predicted = new Map([
  ['Poisson', exponential],
  ['Tweedie', exponential],
  ['Logloss', sigmoid],
  ['CrossEntropy', sigmoid],
]);

function notePredictions(file: JsonReader, job: ImportJob): void {
  const loss = ['model_info', 'params', 'loss_function', 'type'].reduce<JsonReader | undefined>(
    (at, key) => (at?.has(key) ? at.at(key) : undefined),
    file,
  )?.value;
  const output = typeof loss === 'string' ? predicted.get(loss) : undefined;
  if (output === undefined) return;
  const said = `with loss function ${quote(String(loss))} CatBoost predicts ${output}; scores here are the sums, in the same order`;
  if (output === sigmoid) job.changes.applies('sigmoid', said);
  else job.changes.loses(said);
}

function featuresOf(info: JsonReader): Features {
  const list = (key: string) => (info.has(key) ? info.at(key).list() : []);
  const texts = new Map(list('cat_features_hash').map(entry => [hashOf(entry.at('hash')), entry.at('value').text()]));
  const named = (feature: JsonReader): Feature => {
    const column = feature.at('flat_feature_index').whole();
    const given = ['feature_name', 'feature_id'].filter(key => feature.has(key)).map(key => feature.at(key).text());
    return { column, name: given.find(name => name !== '') ?? '' };
  };
  return {
    numbers: new Map(
      list('float_features').map(feature => {
        const treatment = feature.has('nan_value_treatment') ? feature.at('nan_value_treatment').text() : 'AsIs';
        return [feature.at('feature_index').whole(), { ...named(feature), missingLeft: treatment !== 'AsTrue' }];
      }),
    ),
    categories: new Map(
      list('categorical_features').map(feature => {
        const hashes = feature.has('values') ? feature.at('values').list().map(hashOf) : [];
        const strings = feature.has('string_values') ? feature.at('string_values').strings() : [];
        const levels = hashes.map((hash, i) => strings[i] ?? texts.get(hash));
        const known = levels.every(level => level !== undefined) ? levels : [];
        const codes = new Map(known.map((_, i) => [hashes[i]!, i]));
        return [feature.at('feature_index').whole(), { ...named(feature), levels: known, codes }];
      }),
    ),
  };
}

/** Written as signed numbers here, as unsigned ones there. */
function hashOf(reader: JsonReader): number {
  return reader.whole() >>> 0;
}

function scaleAndBias(reader: JsonReader, job: ImportJob): [number, number] {
  const [scale, biases] = reader.list();
  if (scale === undefined || biases === undefined) return reader.fail('a scale and a bias');
  const values = Array.isArray(biases.value) ? biases.numbers() : [biases.number()];
  if (values.length > 1)
    unsupported(job, `a model of ${values.length} dimensions has several scores a document; a ranking needs one`);
  return [scale.number(), values[0] ?? 0];
}

/** The test of a split: which child comes first is up to the caller, whose `yes` is where CatBoost's test holds. */
function testOf<Node>(
  split: JsonReader,
  { numbers, categories }: Features,
  no: Node,
  yes: Node,
  job: ImportJob,
): ReadNode<Node> {
  const type = split.at('split_type').text();
  if (type === 'FloatFeature') {
    const index = split.at('float_feature_index').whole();
    const feature = numbers.get(index) ?? invalid(job, `a split is by number ${index}, which is no feature`);
    const threshold = split.at('border').float32();
    return { feature: feature.column, threshold, missingLeft: feature.missingLeft, left: no, right: yes };
  }
  if (type === 'OneHotFeature') {
    const index = split.at('cat_feature_index').whole();
    const feature = categories.get(index) ?? invalid(job, `a split is by category ${index}, which is no feature`);
    const levels = levelOf(feature, hashOf(split.at('value')), job);
    return { feature: feature.column, threshold: 0, levels, missingLeft: false, left: yes, right: no };
  }
  return unsupported(
    job,
    `a split is by ${quote(type)}: CatBoost's counts of labels by category cannot be had here; train it with one_hot_max_size no less than the levels of each category, and max_ctr_complexity=0`,
  );
}

function levelOf({ name, column, codes }: Category, hash: number, job: ImportJob): LevelSet {
  const code = codes.get(hash);
  if (code === undefined)
    unsupported(
      job,
      `the file knows the levels of category ${quote(name || String(column))} by hashes only; save it with their names: save_model(…, format="json", pool=POOL)`,
    );
  return readLevelSet([code], job);
}

/** Test d is bit d of a leaf's number. Nodes are numbered as in a heap, from 1; below the last test are the leaves. */
function obliviousTree(tree: JsonReader, features: Features, leaf: (value: number) => number, job: ImportJob): Tree {
  // A tree without tests has null for them.
  const splits = tree.at('splits').value === null ? [] : tree.at('splits').list();
  const depth = splits.length;
  if (depth > MOST_DEPTH) invalid(job, `a tree has ${depth} tests; CatBoost's have ${MOST_DEPTH} at most`);
  const values = tree.at('leaf_values').numbers();
  if (values.length !== 2 ** depth) {
    const scores = values.length / 2 ** depth;
    if (Number.isInteger(scores) && scores > 1)
      unsupported(job, `a model of ${scores} dimensions has several scores a document; a ranking needs one`);
    invalid(job, `a tree of ${depth} tests has ${values.length} leaves; it must have ${2 ** depth}`);
  }
  const weights = tree.has('leaf_weights') ? tree.at('leaf_weights').numbers() : [];
  const nodeOf = (node: number): ReadNode<number> => {
    const level = 31 - Math.clz32(node);
    if (level < depth) return testOf(splits[level]!, features, 2 * node, 2 * node + 1, job);
    let number = 0;
    for (let test = 0; test < depth; test++) number |= ((node >> (depth - 1 - test)) & 1) << test;
    return { value: leaf(values[number]!), documents: weights[number] };
  };
  return buildTree(1, nodeOf, job);
}

function nestedNode(
  node: JsonReader,
  features: Features,
  leaf: (value: number) => number,
  job: ImportJob,
): ReadNode<JsonReader> {
  if (!node.has('value')) return testOf(node.at('split'), features, node.at('left'), node.at('right'), job);
  if (Array.isArray(node.at('value').value))
    unsupported(job, 'a tree has vectors in its leaves; a ranking needs one score');
  const documents = node.has('weight') ? node.at('weight').number() : undefined;
  return { value: leaf(node.at('value').number()), documents };
}

export const catboost: ModelFormat = {
  name: 'catboost',
  title: 'CatBoost model (JSON of save_model)',
  rule: '`>` goes right, float32; a missing value is below or above all others, as the feature says; float64 sums',
  recognise: start => /^\s*\{\s*"(ctr_data|features_info|model_info|oblivious_trees|scale_and_bias)"/.test(start),
  reads: ['trees'],
  read,
  writes: { trees: writeCatboost },
};
