// npm run bench -- ranks [--lightgbm PATH] [--shape mslr] [--trees 100] [--leaves 31]
// Two ranks of one thread, started by Open MPI, against one process of two threads: the same model from the same file,
// in seconds of training, of training with reading and binning, and of the whole command by the clock. Beside it
// LightGBM's own data-parallel mode, two processes of one thread that talk over loopback, against its one process of
// two threads. What is not installed is left out, and the report says so.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { numberOf } from './numbers.mjs';
import { lightgbmBinary } from './rivals/lightgbm.mjs';
import { DOCUMENTS, dataFiles, TRAINING_QUERIES } from './tree-files.mjs';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const OPEN_MPI = ['mpirun.openmpi', 'mpirun'];

export const options = ['lightgbm', 'shape', 'trees', 'leaves'];

export async function prepare(given) {
  const folder = join(os.tmpdir(), 'listwise-bench');
  mkdirSync(folder, { recursive: true });
  const lightgbm = lightgbmBinary(given.lightgbm);
  const { train: file } = await dataFiles(folder, given.shape ?? 'mslr', 1, lightgbm !== undefined);
  const mpirun = OPEN_MPI.find(command => /Open/.test(spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout));
  const settings = { trees: numberOf(given, 'trees', 100), leaves: numberOf(given, 'leaves', 31) };
  return { folder, file, lightgbm, mpirun, ...settings };
}

export function variants({ mpirun, lightgbm }) {
  return {
    'one process': { run: context => ours([process.execPath], 2, context) },
    ...(mpirun && { 'two ranks': { run: context => ours([mpirun, ...twoRanks, process.execPath], 1, context) } }),
    ...(lightgbm && {
      'lightgbm, one process': { run: context => theirs(1, 2, context) },
      'lightgbm, two processes': { run: context => theirs(2, 1, context) },
    }),
  };
}

const twoRanks = ['--allow-run-as-root', '--bind-to', 'none', '-np', '2'];

async function ours([command, ...words], threads, { folder, file, trees, leaves }) {
  const model = join(folder, `ranks-${threads}.json`);
  const settings = [`trees=${trees}`, `leaves=${leaves}`].flatMap(text => ['--set', text]);
  const flags = ['--holdout', '0', '--threads', String(threads), '--out', model, '--force', '--json'];
  const lap = stopwatch();
  const { stdout } = await run(command, [...words, MAIN, 'train', file, ...settings, ...flags]);
  const clock = lap();
  const { seconds } = JSON.parse(stdout);
  const content = createHash('sha256').update(readFileSync(model)).digest('hex');
  return { train: seconds.train, all: seconds.load + seconds.bin + seconds.train, clock, content: hashNumber(content) };
}

/** Medians are of numbers: 48 bits of the hash. */
function hashNumber(hash) {
  return Number.parseInt(hash.slice(0, 12), 16);
}

async function theirs(machines, threads, { folder, file, lightgbm, trees, leaves }) {
  const list = join(folder, 'machines.txt');
  const ports = await freePorts(machines);
  writeFileSync(list, ports.map(port => `127.0.0.1 ${port}\n`).join(''));
  const words = [
    ...['task=train', 'objective=lambdarank', `data=${file}.lgb`, `num_trees=${trees}`, `num_leaves=${leaves}`],
    ...[`num_threads=${threads}`, 'verbosity=1'],
  ];
  const parallel = port => ['tree_learner=data', `machine_list_filename=${list}`, `local_listen_port=${port}`];
  const lap = stopwatch();
  const ended = await Promise.all(
    ports.map((port, i) =>
      run(
        lightgbm,
        [
          ...words,
          `output_model=${join(folder, `ranks-${i}.txt`)}`,
          `num_machines=${machines}`,
          ...(machines > 1 ? parallel(port) : []),
        ],
        { maxBuffer: 1 << 26 },
      ),
    ),
  );
  const clock = lap();
  const of = pattern => Math.max(...ended.map(({ stdout }) => Number([...stdout.matchAll(pattern)].at(-1)[1])));
  const train = of(/([0-9.]+) seconds elapsed, finished iteration/g);
  return { train, all: train + of(/Finished loading data in ([0-9.]+) seconds/g), clock };
}

/** Those of the last round are not free again for a while. */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map(server => once(server, 'listening')));
  const ports = servers.map(server => server.address().port);
  for (const server of servers) server.close();
  return ports;
}

function stopwatch() {
  const start = performance.now();
  return () => (performance.now() - start) / 1000;
}

export function* report(medians, { trees, leaves, mpirun, lightgbm }) {
  yield `${TRAINING_QUERIES} queries of about ${DOCUMENTS} documents x 136 features, ${trees} trees x ${leaves} leaves`;
  if (!mpirun) yield 'Open MPI (openmpi-bin) is not installed: left out';
  if (!lightgbm) yield 'no lightgbm binary (--lightgbm PATH): left out';
  const kinds = { train: 'train', all: 'read+bin+train', clock: 'by the clock' };
  yield ['seconds'.padEnd(24), ...Object.values(kinds).map(text => text.padStart(15))].join(' ');
  for (const [name, found] of Object.entries(medians)) {
    yield [name.padEnd(24), ...Object.keys(kinds).map(kind => found[kind].toFixed(2).padStart(15))].join(' ');
  }
  const ratio = (two, one) =>
    Object.entries(kinds)
      .map(([kind, text]) => `${text} ${(medians[two][kind] / medians[one][kind]).toFixed(2)}`)
      .join(', ');
  if (mpirun) {
    yield `two ranks / one process: ${ratio('two ranks', 'one process')} (asked for: at most 1.15)`;
    const same = medians['two ranks'].content === medians['one process'].content;
    yield same ? 'the models are the same, byte for byte' : 'the models DIFFER';
  }
  if (lightgbm) yield `lightgbm, two / one: ${ratio('lightgbm, two processes', 'lightgbm, one process')}`;
  if (mpirun && lightgbm) {
    yield `ours / lightgbm, one process: ${ratio('one process', 'lightgbm, one process')}`;
    yield `ours / lightgbm, two: ${ratio('two ranks', 'lightgbm, two processes')}`;
  }
}
