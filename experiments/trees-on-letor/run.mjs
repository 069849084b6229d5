// Trees with default options on LETOR's five folds, beside other models and XGBoost. See README.md.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { letorFolds, readDataset, writeDataset } from '#listwise/data/index.js';
import { evaluate, parseMeasures } from '#listwise/measures/index.js';
import { scoreData } from '#listwise/models/ranker.js';
import { train } from '#listwise/training/train.js';
import { asCommand, markdownTable, mean } from '../lib/experiment.mjs';

/** Beside the project, not part of it. */
const dataFolder = join(import.meta.dirname, '../../../shared/data');
export const dataAbsent = !existsSync(join(dataFolder, 'ohsumed')) || !existsSync(join(dataFolder, 'mq2008'));
/** Debian's: the only Python that has Debian's python3-xgboost. */
const PYTHON = '/usr/bin/python3';

/** Undefined where the data is absent. XGBoost's rows are left out where it is not installed. */
export async function run({ config, seed, note = () => {} }) {
  if (dataAbsent) {
    note('skipped: ../shared/data/ohsumed and mq2008 (S1.txt.gz to S5.txt.gz) are absent beside the project');
    return undefined;
  }
  const measures = parseMeasures(config.measures.join(','));
  const withXgboost = xgboostInstalled();
  if (!withXgboost) note('python3-xgboost is not installed: its rows are left out');
  const methods = config.methods.filter(({ xgboost }) => xgboost === undefined || withXgboost);
  const sets = [];
  for (const set of config.sets) {
    const parts = [];
    for (let part = 1; part <= 5; part++) parts.push(await readDataset(join(dataFolder, set, `S${part}.txt.gz`)));
    const folds = letorFolds(parts).slice(0, config.folds);
    const results = [];
    for (const method of methods) {
      const judged = [];
      for (const fold of folds) {
        const { scores, best } = await (method.xgboost ? runXgboost : runOurs)(method, fold, seed);
        const values = evaluate(
          fold.test,
          scores,
          measures.map(({ measure }) => measure),
        );
        const test = Object.fromEntries(measures.map(({ asked }, m) => [asked, values[m].mean]));
        judged.push({ fold: fold.fold, best, test });
      }
      const test = Object.fromEntries(
        measures.map(({ asked }) => [asked, mean(judged.map(({ test }) => test[asked]))]),
      );
      note(
        `${set}, ${method.name}: ${Object.values(test)
          .map(value => value.toFixed(4))
          .join(' / ')}`,
      );
      results.push({ name: method.name, test, folds: judged });
    }
    sets.push({ set, methods: results });
  }
  return { measures: config.measures, sets };
}

async function runOurs({ model, objective, options }, { train: data, validate, test }, seed) {
  const trained = await train({ data, validate, model, objective, options, seed });
  return { scores: scoreData(trained.model, test), best: trained.best.iteration };
}

function xgboostInstalled() {
  try {
    execFileSync(PYTHON, ['-c', 'import xgboost'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function runXgboost({ xgboost, leaves }, fold, seed) {
  const folder = mkdtempSync(join(tmpdir(), 'listwise-letor-'));
  try {
    const file = name => join(folder, name);
    const job = { objective: xgboost, leaves, seed, scores: file('scores.txt') };
    for (const part of ['train', 'validate', 'test']) {
      job[part] = file(`${part}.svm`);
      await writeDataset(fold[part], job[part], { format: 'svmlight' });
    }
    const script = join(import.meta.dirname, 'xgboost-early-stopping.py');
    const { best } = JSON.parse(execFileSync(PYTHON, [script, JSON.stringify(job)], { encoding: 'utf8' }));
    const lines = readFileSync(job.scores, 'utf8').trim().split('\n');
    return { scores: Float64Array.from(lines, Number), best };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function table({ measures, sets }) {
  const header = ['', ...sets.flatMap(({ set }) => measures.map(measure => `${set} ${measure}`)), 'best iteration, fold by fold'];
  const rows = sets[0].methods.map(({ name }, m) => [
    name,
    ...sets.flatMap(({ methods }) => measures.map(measure => methods[m].test[measure].toFixed(4))),
    sets.map(({ methods }) => methods[m].folds.map(({ best }) => best).join(' ')).join('; '),
  ]);
  return markdownTable(header, rows);
}

await asCommand(import.meta.url, { run, table });
