// Keeps the result of an experiment in its folder and writes the tables of its README from it.
//   node scripts/experiments.mjs NAME… [--scale small] [--seed 1] [--data ../shared/data] [--dir DIR] [--threads N]
// The result goes to tiny.json, which the tests compare with a fresh run, to result.json (small) or to paper.json. A
// run that was broken off goes on where --dir is given. What several experiments train alike is trained once where they
// are named together. `--tables` evaluates the outcomes kept once more, where what a finding asks for has changed, and
// writes the tables of every README again.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  claimsMarkdown,
  configOf,
  experimentFile,
  experimentOf,
  experiments,
  keptFiles,
  keptResult,
  readmeWith,
  reproduce,
  StepStore,
  scales,
  written,
} from '#listwise/reproduce/index.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: 'small' },
    seed: { type: 'string', default: '1' },
    data: { type: 'string', default: join(import.meta.dirname, '../../shared/data') },
    dir: { type: 'string' },
    threads: { type: 'string', default: String(availableParallelism()) },
    tables: { type: 'boolean', default: false },
  },
});
const version = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version;

const together = positionals.length > 1;
const folder = values.dir ?? mkdtempSync(join(tmpdir(), 'listwise-experiments-'));
const shared = together ? new StepStore(join(folder, 'shared.jsonl'), { version }) : undefined;
for (const name of positionals) await keep(experimentOf(name));
shared?.close();
if (values.dir === undefined) rmSync(folder, { recursive: true });
for (const experiment of values.tables ? experiments : positionals.map(experimentOf)) writeTables(experiment);
const claims = join(import.meta.dirname, '../experiments/README.md');
writeFileSync(claims, written(claimsMarkdown(), readFileSync(claims, 'utf8')));

async function keep(experiment) {
  const { scale, dir } = values;
  const seed = Number(values.seed);
  const identity = { experiment: experiment.name, scale, seed, config: configOf(experiment, scale) };
  const own = together ? experiment.name : '';
  const store = dir && new StepStore(join(dir, own, 'steps.jsonl'), identity);
  const taken = (store?.size ?? 0) + (shared?.size ?? 0);
  const started = performance.now();
  const worked = processorSeconds();
  const result = await reproduce(experiment, scale, {
    seed,
    store,
    shared,
    threads: Number(values.threads),
    signal: new AbortController().signal,
    collections: values.data,
    onStep: (done, total, name) => console.error(`${done} of ${total}: ${name}`),
  });
  const run = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} x ${cpus()[0].model}, Node ${process.versions.node}`,
    // Of a run in one go. What its threads worked says more where the machine had other work too.
    seconds: taken === 0 ? Math.round((performance.now() - started) / 1000) : undefined,
    processorSeconds: taken === 0 ? processorSeconds() - worked : undefined,
  };
  const file = experimentFile(experiment.name, keptFiles[scale]);
  writeFileSync(file, `${JSON.stringify({ version, run, ...result }, undefined, 1)}\n`);
}

function processorSeconds() {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1e6);
}

function writeTables(experiment) {
  for (const scale of scales) {
    const kept = keptResult(experiment, scale);
    if (kept === undefined) continue;
    const anew = { ...kept, findings: experiment.findings(kept.outcome) };
    writeFileSync(experimentFile(experiment.name, keptFiles[scale]), `${JSON.stringify(anew, undefined, 1)}\n`);
  }
  const results = ['paper', 'small'].flatMap(scale => keptResult(experiment, scale) ?? []);
  const readme = experimentFile(experiment.name, 'README.md');
  writeFileSync(readme, readmeWith(experiment, results, readFileSync(readme, 'utf8')));
}
