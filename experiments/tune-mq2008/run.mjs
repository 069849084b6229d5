// MQ2008, five LETOR folds, boosted trees: options chosen on the validation part, then judged once on the test part. See README.md.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareSystems } from '#listwise/analysis/index.js';
import { concatenate, readLetor } from '#listwise/data/index.js';
import { evaluate, parseMeasures } from '#listwise/measures/index.js';
import { scoreData } from '#listwise/models/ranker.js';
import { train } from '#listwise/training/train.js';
import { foldFigure, overFolds } from '#listwise/tuning/fold-figures.js';
import { configurationOf, optionImportance, parseSpace, tune } from '#listwise/tuning/index.js';
import { asCommand, markdownTable, mean } from '../lib/experiment.mjs';

/** Beside the project, not part of it. */
export const dataFolder = join(import.meta.dirname, '../../../shared/data/mq2008');
export const dataAbsent = !existsSync(dataFolder);

function readSpace({ space, options }) {
  const file = join(import.meta.dirname, `../../configs/spaces/${space}.json`);
  const read = parseSpace(readFileSync(file, 'utf8'), file);
  return { ...read, options: { ...read.options, ...options } };
}

/** Undefined where the data is absent. */
export async function run({ config, seed, note = () => {} }) {
  if (dataAbsent) {
    note('skipped: ../shared/data/mq2008 (LETOR 4.0, S1.txt.gz to S5.txt.gz) is absent beside the project');
    return undefined;
  }
  const { method, trials, select, report } = config;
  const space = readSpace(config);
  const { folds } = await readLetor(dataFolder);
  const results = [];
  const tests = [];
  for (const { fold, train: data, validate, test } of folds.slice(0, config.folds)) {
    const searched = await tune({
      ...{ space, folds: [{ train: data, validate }], method, trials, select, seed, threads: 1 },
      onTrial: ({ id, value }) => note(`fold ${fold}, trial ${id}: ${value.toFixed(4)}`),
    });
    const finish = async values => {
      const { model } = await train({ ...configurationOf(space, values), select, data, validate, seed, threads: 1 });
      return scoreData(model, test);
    };
    tests.push({ test, tuned: await finish(searched.best.options), defaults: await finish({}) });
    const { best, defaults } = searched;
    note(`fold ${fold}: ${select} ${defaults.value.toFixed(4)} to ${best.value.toFixed(4)} on validation data`);
    results.push({
      fold,
      chosen: { trial: best.id, options: best.options, iteration: best.iteration },
      validation: { defaults: defaults.value, tuned: best.value },
      importance: optionImportance(space, searched.trials),
      trials: searched.trials.map(({ id, options, value, status }) => ({ id, options, value, status })),
    });
  }
  return { method, trials, select, space: space.search, ...judge(tests, parseMeasures(report), seed), folds: results };
}

/** Figures over the test parts, each judged by the models of its own fold. */
function judge(tests, measures, seed) {
  const figures = name =>
    measures.map(({ asked, measure }) => {
      const values = tests.map(({ test, ...scores }) => evaluate(test, scores[name], [measure])[0]);
      const { mean: value, interval } = overFolds(
        measure,
        values.map(result => foldFigure(measure, result.values)),
      );
      return { measure: asked, value, interval, folds: values.map(result => result.mean) };
    });
  const all = concatenate(tests.map(({ test }) => test));
  const system = name => ({ name, data: all, scores: tests.flatMap(scores => [...scores[name]]) });
  const { pairs } = compareSystems([system('tuned'), system('defaults')], measures, { seed });
  return {
    test: { queries: all.queries, defaults: figures('defaults'), tuned: figures('tuned') },
    difference: pairs.map(({ measure, difference, interval, wins, ties, losses, p }) => ({
      ...{ measure, difference, interval, wins, ties, losses, p },
    })),
  };
}

const four = value => value.toFixed(4);
const signed = value => `${value > 0 ? '+' : ''}${four(value)}`;

export function table({ select, test, difference, folds }) {
  const names = folds.map(({ fold }) => `fold ${fold}`);
  const row = (title, values) => [title, four(mean(values)), '', ...values.map(four)];
  const of = name => folds.map(({ validation }) => validation[name]);
  const range = ([low, high]) => `${four(low)} to ${four(high)}`;
  const tested = name => {
    const { value, interval, folds: values } = test[name].find(({ measure }) => measure === select);
    return [`test, ${name}`, four(value), range(interval), ...values.map(four)];
  };
  const [{ difference: gain, interval, p }] = difference.filter(({ measure }) => measure === select);
  const blanks = folds.map(() => '');
  return [
    markdownTable(
      [select, 'mean', '95 % interval', ...names],
      [
        row('validation, defaults', of('defaults')),
        row('validation, tuned', of('tuned')),
        tested('defaults'),
        tested('tuned'),
        ['test, tuned - defaults', signed(gain), interval.map(signed).join(' to '), ...blanks],
      ],
    ),
    `Paired over ${test.queries} test queries, randomisation test: p = ${p.randomisation.toPrecision(2)}.`,
  ].join('\n\n');
}

await asCommand(import.meta.url, { run, table });
