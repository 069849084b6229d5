/** Evaluation on several threads: the values of one thread, to the bit. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { measureDefinitions } from '#listwise/measures/all.js';
import { evaluate, type MeasureResult, measureResults } from '#listwise/measures/evaluate.js';
import { evaluateOnThreads } from '#listwise/measures/evaluate-on-threads.js';
import { EvaluationCrew, type EvaluationJob } from '#listwise/measures/evaluation-crew.js';
import { defineMeasure, type MeasureDefinition } from '#listwise/measures/measure.js';
import { type MeasureContext, parseMeasures } from '#listwise/measures/parse.js';
import { presets } from '#listwise/measures/presets.js';
import { inTurns } from '#listwise/steps.js';
import type { IterationRecord } from '#listwise/training/iteration-record.js';
import { train } from '#listwise/training/train.js';
import { temporaryDirectory } from '../temporary.js';
import '../threads-at-once.js';

const directory = temporaryDirectory();
const data = generateDataset('mslr', { queries: 150, documents: 60, clicks: true, seed: 1 });
// Many ties, and many that are none.
const scores = Float64Array.from(data.column(109), (score, row) => (row % 3 === 0 ? Math.round(score) : score));

const started: EvaluationCrew[] = [];
function crewOf(job: Omit<EvaluationJob, 'portable' | 'threads'>, modules: readonly string[] = []) {
  const portable = { measures: job.measures.map(({ spec }) => spec), modules };
  const crew = new EvaluationCrew({ ...job, portable, threads: 3 });
  started.push(crew);
  return crew;
}
afterEach(() => Promise.all(started.splice(0).map(crew => crew.close())));

const specs = (measureDefinitions as readonly MeasureDefinition[])
  .map(({ name, cutoff }) => `${name}${name === 'cndcg' ? '(labels=clicks)' : ''}${cutoff === 'required' ? '@5' : ''}`)
  .join(',');

describe('a crew', () => {
  it.each(Object.keys(presets) as (keyof typeof presets)[])('evaluates as one thread does, preset %s', async name => {
    const preset = presets[name];
    const context: MeasureContext = { preset };
    const asked = parseMeasures(specs, context);
    const measures = asked.map(({ measure }) => measure);
    const crew = crewOf({ data, measures, ties: preset.ties, remember: true });
    for (const sign of [1, -1]) {
      const given = scores.map(score => sign * score);
      crew.scores.set(given);
      for (const _ of crew.steps());
      const values = crew.values.map(of => of.slice());
      const found = measureResults(asked, { data, scores: given, ties: preset.ties }, values, crew.tied);
      expect(found).toEqual(evaluate(data, given, asked, { ties: preset.ties }));
    }
  });

  it('evaluates again what ranks otherwise, ties included, and what looks at scores', async () => {
    const spread = defineMeasure({
      name: 'spread',
      title: 'Spread of scores',
      description: 'The largest score less the least, of 100.',
      citation: 'none',
      cutoff: 'none',
      range: [0, 1],
      parameters: {},
      create: () => ({ value: ({ scores: own, order, n }) => (own[order[0]!]! - own[order[n - 1]!]!) / 100 }),
    });
    const asked = parseMeasures('ap,ndcg@10,spread', { more: [spread] });
    const measures = asked.map(({ measure }) => measure);
    const crews = [measures, measures.slice(0, 2)].map(
      own => new EvaluationCrew({ data, measures: own, portable: undefined, remember: true, threads: 1 }),
    );
    started.push(...crews);
    const swapped = scores.map((score, row) => (row % 60 < 2 ? scores[row ^ 1]! : score));
    const tied = scores.map((score, row) => (row % 7 === 0 ? scores[row + 1 < scores.length ? row + 1 : row]! : score));
    // Wider, alike; then some other order, other ties, and back.
    for (const given of [scores, scores.map(score => 2 * score + 1), swapped, tied, scores, tied]) {
      for (const crew of crews) {
        crew.scores.set(given);
        for (const _ of crew.steps());
        const own = asked.slice(0, crew.values.length);
        const values = crew.values.map(of => of.slice());
        const found = measureResults(own, { data, scores: given, ties: 'expected' }, values, crew.tied);
        expect(found).toEqual(evaluate(data, given, own));
      }
    }
  });

  it('whose threads are not up yet has the values too', async () => {
    const asked = parseMeasures('ndcg@10');
    const measures = asked.map(({ measure }) => measure);
    const portable = { measures: ['ndcg@10'], modules: [] };
    const crew = new EvaluationCrew({ data, measures, portable, threads: 3 });
    crew.scores.set(scores);
    for (const _ of crew.steps());
    const [wanted] = evaluate(data, scores, 'ndcg(empty=skip)@10');
    expect(crew.values[0]).toEqual(wanted!.values);
    await crew.close();
  });

  it('whose threads cannot start says why', async () => {
    const portable = { measures: ['ndcg'], modules: [join(directory, 'absent.mjs')] };
    const measures = parseMeasures('ndcg').map(({ measure }) => measure);
    const crew = new EvaluationCrew({ data, measures, portable, threads: 2 });
    const rounds = async () => {
      for (;;) await inTurns(crew.steps(), undefined, 0);
    };
    await expect(rounds()).rejects.toThrowError(/absent\.mjs/);
    await crew.close();
  });
});

describe('evaluateOnThreads', () => {
  it('is evaluate', async () => {
    const measures = 'ndcg@10,ap(rel=2),ndcg(labels=clicks)';
    const found = await evaluateOnThreads(data, scores, measures, { threads: 2 });
    const numbers = (results: readonly MeasureResult[]) =>
      results.map(({ asked, mean, empty, tied, values }) => ({ asked, mean, empty, tied, values }));
    expect(numbers(found)).toEqual(numbers(evaluate(data, scores, measures)));
    await expect(evaluateOnThreads(data, [1], measures, { threads: 2 })).rejects.toThrowError(/1 scores for/);
  });

  it('has measures of modules on other threads too', async () => {
    const module = join(directory, 'where.mjs');
    writeFileSync(
      module,
      `import { threadId } from 'node:worker_threads';
       export default {
         name: 'where', title: 'Where', description: 'The thread.', citation: 'none', cutoff: 'none', range: [0, 1000],
         parameters: {},
         create: () => ({ value: here, overTies: here }),
       };
       function here() {
         for (const end = performance.now() + 10; performance.now() < end; );
         return threadId;
       }`,
    );
    const shares: number[] = [];
    const progress = (share: number) => shares.push(share);
    const [found] = await evaluateOnThreads(data, scores, 'where', { threads: 2, modules: [module], progress });
    expect(new Set(found!.values).size).toBe(2);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
  });
});

it('the models of learners that evaluate on threads do not depend on them', async () => {
  const large = generateDataset('net', { queries: 300, documents: 40, features: 4, seed: 1 });
  for (const [model, options] of [
    ['rankboost', { rounds: 12 }],
    ['adarank', { rounds: 12 }],
  ] as const) {
    const [one, three] = await Promise.all(
      [1, 3].map(threads => train({ data: large, validate: large, model, options, select: 'ndcg@10', threads })),
    );
    const values = (log: readonly IterationRecord[]) => log.map(({ validation, cost }) => ({ validation, cost }));
    expect(values(three!.log)).toEqual(values(one!.log));
    expect(JSON.stringify(three!.model)).toBe(JSON.stringify(one!.model));
  }
});
