/**
 * RankLib's text files, which Elasticsearch and OpenSearch take as `model/ranklib`: a header of `##` lines, the first
 * of which names the algorithm, then XML (trees) or `id:weight` pairs (linear). Its rule for trees: value <= threshold
 * goes left, in float32; the score is the sum of weight x leaf, rounded to float32 after every tree; a missing value
 * counts as 0. Linear models add up in float64. Features are numbers from 1.
 */
import { shortestFloat32 } from '../../data/writers/shortest-float.js';
import { quote } from '../../errors.js';
import type { Model } from '../../models/all.js';
import { LinearModel } from '../../models/linear/linear.js';
import type { Tree, TreesModel } from '../../models/trees/trees.js';
import { refuseCategories } from '../categories.js';
import { checkWidth, idsOf, largest, nameColumns } from '../features.js';
import {
  type ExportJob,
  type ImportJob,
  invalid,
  type ModelFormat,
  textOf,
  unsupported,
  type WrittenFile,
} from '../format.js';
import { JsonReader } from '../json-reader.js';
import { folded } from '../linear-folding.js';
import { buildTree, type ReadNode, treesModel } from '../tree-builder.js';
import { loseMissing, MOST_LEVELS, noteWidth, refuseDeepTrees, treesWithBase } from '../tree-writer.js';
import { parseXml } from '../xml.js';

// ---- reading

type Reader = (body: string, job: ImportJob) => Model;

const algorithms: Readonly<Record<string, Reader>> = {
  LambdaMART: readTrees,
  MART: readTrees,
  'Coordinate Ascent': readLinear,
  'Linear Regression': readLinear,
};

/**
 * All that RankLib writes: what is not read is refused by its name. A `##` line of something else is a comment in data.
 */
const KNOWN_START =
  /^\s*(<ensemble|##\s*(LambdaMART|MART|Coordinate Ascent|Linear Regression|RankNet|LambdaRank|ListNet|RankBoost|AdaRank|Random Forests)\s*\n)/;

function read(content: Uint8Array, job: ImportJob): Model {
  const lines = textOf(content).split(/\r?\n/);
  const algorithm = /^##\s*(.*?)\s*$/.exec(lines.find(line => line.startsWith('##')) ?? '')?.[1];
  const body = lines
    .filter(line => !line.startsWith('##'))
    .map(line => line.trim())
    .join('');
  if (algorithm === undefined) return readTrees(body, job);
  const reader = algorithms[algorithm];
  if (reader === undefined) {
    return unsupported(
      job,
      `models of RankLib's ${quote(algorithm)} are not read; ${Object.keys(algorithms).join(', ')} are`,
    );
  }
  return reader(body, job);
}

function readTrees(body: string, job: ImportJob): TreesModel {
  let xml: unknown;
  try {
    xml = parseXml(body, { lists: ['tree', 'split'], mostNested: MOST_LEVELS });
  } catch (error) {
    return invalid(job, `it is not XML: ${error instanceof Error ? error.message : error}`);
  }
  const list = new JsonReader(xml, job).at('ensemble', 'tree').list();
  const read = list.map(tree => {
    const weight = numberIn(tree.at('weight'));
    return buildTree(onlyOne(tree.at('split'), job), node => readNode(node, weight, job), job);
  });
  const most = largest(read.map(tree => largest(tree.feature)));
  const { featureNames, trees } = nameColumns({ width: most + 1, open: true }, read, { ...job, featureBase: 1 });
  return treesModel({ featureNames, trees, sums: 'float32' });
}

function onlyOne(splits: JsonReader, job: ImportJob): JsonReader {
  const list = splits.list();
  return list.length === 1 ? list[0]! : invalid(job, `a tree has ${list.length} roots`);
}

/** RankLib reads children by their place, whatever their `pos` says. The product of two float32 numbers is exact. */
function readNode(node: JsonReader, weight: number, job: ImportJob): ReadNode<JsonReader> {
  if (node.has('output')) return { value: numberIn(node.at('output')) * weight };
  const feature = node.at('feature').whole();
  if (feature < 1) invalid(job, `a split asks for feature ${feature}; RankLib counts from 1`);
  checkWidth(feature + 1, job);
  const threshold = numberIn(node.at('threshold'));
  const [left, right, ...more] = node.at('split').list();
  if (left === undefined || right === undefined || more.length > 0)
    return invalid(job, 'a split must have two children');
  return { feature, threshold, missingLeft: 0 <= threshold, left, right };
}

/** A float32 written as text. */
function numberIn(reader: JsonReader): number {
  const text = reader.text().trim();
  const value = Math.fround(Number(text));
  return text !== '' && Number.isFinite(value) ? value : reader.fail('a number that fits 32 bits');
}

/** Pairs id:weight; id 0 is the intercept. */
function readLinear(body: string, job: ImportJob): LinearModel {
  const weightOf = new Map<number, number>();
  for (const pair of body.split(/\s+/).filter(Boolean)) {
    const [, id, weight] = /^(\d+):(\S+)$/.exec(pair) ?? [];
    if (id === undefined || !Number.isFinite(Number(weight)))
      invalid(job, `weights are written as id:weight, found ${quote(pair)}`);
    if (weightOf.has(Number(id))) invalid(job, `feature ${id} has two weights`);
    weightOf.set(Number(id), Number(weight));
  }
  const bias = weightOf.get(0) ?? 0;
  weightOf.delete(0);
  const most = largest(weightOf.keys());
  const { featureNames } = nameColumns({ width: most + 1, open: true }, [], { ...job, featureBase: 1 });
  return new LinearModel({ featureNames, weights: featureNames.map((_, f) => weightOf.get(f + 1) ?? 0), bias });
}

// ---- writing

function writeTrees(model: TreesModel, job: ExportJob): WrittenFile[] {
  refuseDeepTrees(model);
  refuseCategories(model, 'RankLib');
  noteWidth(model, 'float32', job);
  loseMissing(model, job.changes);
  const ids = idsOf(model.featureNames, job);
  const trees = treesWithBase(model);
  const lines = [
    '## LambdaMART',
    `## No. of trees = ${trees.length}`,
    `## No. of leaves = ${largest(trees.map(tree => tree.value.length))}`,
    '## No. of threshold candidates = 256',
    '## Learning rate = 1.0',
    '## Stop early = 100',
    '',
    '<ensemble>',
    ...trees.flatMap((tree, i) => printTree(tree, i + 1, ids)),
    '</ensemble>',
  ];
  return [{ path: job.target, content: `${lines.join('\n')}\n` }];
}

/** One element a line: RankLib joins the lines without the blanks around them. */
function printTree(tree: Tree, number: number, ids: Int32Array): string[] {
  const lines = [`\t<tree id="${number}" weight="1.0">`];
  const print = (node: number, position: string, indent: string): void => {
    lines.push(`${indent}<split${position}>`);
    if (node < 0) lines.push(`${indent}\t<output>${shortestFloat32(Math.fround(tree.value[~node]!))}</output>`);
    else {
      lines.push(`${indent}\t<feature>${ids[tree.feature[node]!]}</feature>`);
      lines.push(`${indent}\t<threshold>${shortestFloat32(tree.threshold[node]!)}</threshold>`);
      print(tree.left[node]!, ' pos="left"', `${indent}\t`);
      print(tree.right[node]!, ' pos="right"', `${indent}\t`);
    }
    lines.push(`${indent}</split>`);
  };
  print(tree.feature.length > 0 ? 0 : ~0, '', '\t\t');
  lines.push('\t</tree>');
  return lines;
}

function writeLinear(model: LinearModel, job: ExportJob): WrittenFile[] {
  const { weights, bias } = folded(model, job.changes);
  const ids = idsOf(model.featureNames, job);
  const pairs = Array.from(ids, (id, f) => [id, weights[f]!] as const).sort(([a], [b]) => a - b);
  const text = [`0:${bias}`, ...pairs.map(([id, weight]) => `${id}:${weight}`)].join(' ');
  return [{ path: job.target, content: `## Linear Regression\n## Lambda = 1.0E-10\n${text}\n` }];
}

export const ranklib: ModelFormat = {
  name: 'ranklib',
  aliases: ['model/ranklib'],
  title: "RankLib text (LambdaMART, MART, linear), the engines' model/ranklib",
  rule: '`<=` goes left, float32; a missing value counts as 0; float32 sums (linear: float64)',
  recognise: start => KNOWN_START.test(start),
  namesUsedOnly: true,
  reads: ['trees', 'linear'],
  read,
  writes: { trees: writeTrees, linear: writeLinear },
  engine: { type: 'model/ranklib' },
};
