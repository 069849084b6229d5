// Loading: an SVMlight file of MSLR's shape to a data set, against a plain split() parser of the same file, from disk,
// .gz and stdin; and the cost of NDCG@10 against that of sorting.
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const QUERIES = 3000;
const FEATURES = 136;
const DOCUMENTS = 120;

/** Files are made once and kept in the system's temporary folder. */
export async function prepare() {
  const folder = join(os.tmpdir(), 'listwise-bench');
  mkdirSync(folder, { recursive: true });
  const plain = join(folder, `mslr-${QUERIES}x${DOCUMENTS}.txt`);
  const gzip = `${plain}.gz`;
  if (!existsSync(plain)) {
    console.error(`writing ${plain}`);
    const { generateDataset, writeDataset } = await import('#listwise/data/index.js');
    const data = generateDataset('mslr', { queries: QUERIES, documents: DOCUMENTS, equalSizes: true, seed: 1 });
    await writeDataset(data, plain, { format: 'svmlight' });
  }
  if (!existsSync(gzip)) {
    await pipeline(createReadStream(plain), createGzip({ level: 6 }), createWriteStream(`${gzip}.tmp`));
    renameSync(`${gzip}.tmp`, gzip);
  }
  return { plain, gzip, bytes: statSync(plain).size, rows: QUERIES * DOCUMENTS };
}

export function variants({ plain, gzip }) {
  return {
    bare: { run: () => ({}) },
    split: { run: () => timed(() => splitParser(plain)) },
    plain: { run: () => load(plain) },
    gzip: { run: () => load(gzip) },
    stdin: { run: () => load('-'), stdin: plain },
    ndcg: { run: ndcgAgainstSort },
  };
}

export function* report(medians, { bytes, rows }) {
  const matrix = 4 * rows * FEATURES;
  const megabytes = (bytes / 1e6).toFixed(0);
  yield `${rows} documents x ${FEATURES} features, ${megabytes} MB of text, ${(matrix / 1e6).toFixed(0)} MB as float32`;
  const { split } = medians;
  yield row('', 'seconds', 'MB/s', 'x split()', 'memory / matrix', '  target');
  const targets = { plain: '>= 8 x split(), memory <= 1.5', gzip: 'memory <= 2.2', stdin: 'memory <= 2.2' };
  for (const variant of ['split', 'plain', 'gzip', 'stdin']) {
    const { seconds, peakBytes } = medians[variant];
    const memory = (peakBytes - medians.bare.peakBytes) / matrix;
    yield row(
      variant,
      seconds.toFixed(2),
      (bytes / 1e6 / seconds).toFixed(0),
      (split.seconds / seconds).toFixed(1),
      memory.toFixed(2),
      `  ${targets[variant] ?? ''}`,
    );
  }
  const { evaluateSeconds, sortSeconds } = medians.ndcg;
  const milliseconds = seconds => `${(1000 * seconds).toFixed(0)} ms`;
  yield `NDCG@10 of 1,000,000 documents: ${milliseconds(evaluateSeconds)}, ` +
    `${(evaluateSeconds / sortSeconds).toFixed(2)} x sorting their scores (${milliseconds(sortSeconds)}); target <= 3`;
}

function row(...cells) {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(8) : cell.padStart(i === 4 ? 17 : 10))).join('');
}

async function timed(action) {
  const start = performance.now();
  const rows = await action();
  return { seconds: (performance.now() - start) / 1000, rows };
}

async function load(data) {
  const { readDataset } = await import('#listwise/data/index.js');
  return timed(async () => (await readDataset(data, { format: 'svmlight' })).rows);
}

/** What one writes in a few minutes: text by chunks, split by line, by blank, by colon. */
async function splitParser(file) {
  const labels = [];
  const queries = [];
  const matrix = [];
  let rest = '';
  const parse = line => {
    if (line === '') return;
    const tokens = line.split(' ');
    labels.push(Number(tokens[0]));
    queries.push(tokens[1].slice(4));
    const features = new Float32Array(FEATURES);
    for (let i = 2; i < tokens.length; i++) {
      const [id, value] = tokens[i].split(':');
      features[Number(id) - 1] = Number(value);
    }
    matrix.push(features);
  };
  for await (const chunk of createReadStream(file, { encoding: 'latin1', highWaterMark: 1 << 20 })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) parse(line);
  }
  parse(rest);
  return matrix.length;
}

async function ndcgAgainstSort() {
  const [{ Dataset }, { evaluate, parseMeasure }, { Random }] = await Promise.all([
    import('#listwise/data/dataset.js'),
    import('#listwise/measures/index.js'),
    import('#listwise/numeric/random.js'),
  ]);
  const rows = 1_000_000;
  const queries = Math.ceil(rows / DOCUMENTS);
  const random = new Random(1, 'bench');
  const offsets = Uint32Array.from({ length: queries + 1 }, (_, q) => Math.min(rows, q * DOCUMENTS));
  const labels = Float64Array.from({ length: rows }, () => Math.floor(5 * random.uniform() ** 3));
  const scores = Float32Array.from({ length: rows }, () => random.gaussian());
  const data = new Dataset({
    featureNames: [],
    blocks: [],
    offsets,
    queryIds: Array.from({ length: queries }, (_, q) => String(q)),
    labels: new Map([['label', labels]]),
  });
  const measures = [parseMeasure('ndcg@10')];
  const times = { evaluateSeconds: [], sortSeconds: [] };
  for (let round = 0; round < 6; round++) {
    const evaluated = await timed(() => evaluate(data, scores, measures)[0].queries);
    const copy = scores.slice();
    const sorted = await timed(() => {
      for (let q = 0; q < queries; q++) copy.subarray(offsets[q], offsets[q + 1]).sort();
      return rows;
    });
    if (round === 0) continue; // compiles
    times.evaluateSeconds.push(evaluated.seconds);
    times.sortSeconds.push(sorted.seconds);
  }
  const middle = numbers => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
  return { evaluateSeconds: middle(times.evaluateSeconds), sortSeconds: middle(times.sortSeconds) };
}
