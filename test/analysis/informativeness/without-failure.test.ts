/** No list fails to be inferred: lists of all kinds of sizes and values, and those of real runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inferLabels } from '#listwise/analysis/informativeness/infer.js';
import { informativeness } from '#listwise/analysis/informativeness/informativeness.js';
import { readSystem, type System } from '#listwise/analysis/system.js';
import { readQrels } from '#listwise/data/readers/trec/qrels.js';
import { resolveInput } from '#listwise/io/inputs.js';
import type { Measure } from '#listwise/measures/measure.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { Random } from '#listwise/numeric/random.js';
import { ranked, viewOf } from '../../measures/lists.js';
import { separable } from '../../training/small-data.js';

const measures = ['ap', 'ndcg', 'p@10', 'ndcg@10', 'ndcg(gain=linear)', 'rprec', 'rbp'].map(spec => parseMeasure(spec));

it('10,000 lists: any length, any number of relevant documents, any value from the worst to the best', () => {
  const random = new Random(11, 'informativeness');
  const tried = new Map<string, number>();
  for (let trial = 0; trial < 10_000; trial++) {
    const measure = measures[trial % measures.length]!;
    // As many short lists as long ones, and as many with few relevant documents as with many.
    const n = Math.floor(2 * 100 ** random.uniform());
    const relevant = Math.min(n, Math.floor(n ** random.uniform()));
    const worst = viewOf(ranked(Array.from({ length: n }, (_, r) => (r < n - relevant ? 0 : 1))));
    const best = measure.value(viewOf(ranked(Array.from({ length: n }, (_, r) => (r < relevant ? 1 : 0)))));
    const low = measure.value(worst);
    // One in ten is nearly at an end, where multipliers grow without end.
    const at = random.uniform() < 0.9 ? random.uniform() : random.below(2) + (random.uniform() - 0.5) * 1e-4;
    const value = low + (best - low) * Math.min(1, Math.max(0, at));
    const inferred = inferLabels(measure, worst, value);
    expect(inferred?.n).toBe(n);
    tried.set(measure.spec, (tried.get(measure.spec) ?? 0) + 1);
  }
  expect(Math.min(...tried.values())).toBeGreaterThan(1400);
});

describe.each([
  ['trec-covid-r1', ['BBGhelani2', 'OHSU_RUN1', 'sab20.1.blind']],
  ['clef-ehealth-2015', ['CUNI_EN_Run.2', 'KISTI_EN_RUN.8', 'baseline_run.2']],
])('runs of %s', (collection, names) => {
  const folder = join(import.meta.dirname, '../../../../shared/data', collection);
  const absent = !existsSync(folder);
  it.skipIf(absent)(
    `every list counts${absent ? ` (skipped: ../shared/data/${collection} is absent)` : ''}`,
    async () => {
      const qrels = await readQrels(await resolveInput(join(folder, 'qrels.txt.gz')));
      for (const name of names) {
        const input = await resolveInput(join(folder, 'runs', `${name}.gz`));
        const run = await readSystem(name, input, qrels, { kind: 'run' });
        for (const { failed, lists, empty } of informativeness([run], measures.slice(0, 4), { ties: 'document' })) {
          expect(failed).toBe(0);
          expect(lists).toBeGreaterThan(20);
          expect(lists + empty).toBe(run.data.queries);
        }
      }
    },
    60_000,
  );
});

it('a list whose inference fails is left out of everything, and counted', () => {
  const data = separable(12, 30, 3);
  const random = new Random(5);
  const scores = data.label().map(label => label + 2 * random.gaussian());
  // Breaks what a measure promises of this form, gains of 0 or 1, for the label 1: there the solver finds nothing.
  const ap = parseMeasure('ap');
  const broken: Measure = { ...ap, expectation: { ...ap.expectation!, gain: label => label / 2 } };
  const system = (labels: Float64Array): System => ({
    name: 'a',
    data: data.with({ labels: new Map([['label', labels]]) }),
    scores,
  });
  const sound = data.label().map(label => (label > 0 ? 2 : 0));
  const [all] = informativeness([system(sound)], [broken]);
  expect(all).toMatchObject({ failed: 0, lists: 12, empty: 0 });
  const first = sound.indexOf(2);
  const [one] = informativeness([system(sound.map((label, i) => (i === first ? 1 : label)))], [broken]);
  expect(one).toMatchObject({ failed: 1, lists: 11, empty: 0 });
  // The rest is as without it: the first query alone was touched.
  const rest = data.offsets[1]!;
  expect(first).toBeLessThan(rest);
  const others = sound.map((label, i) => (i < rest ? 0 : label));
  expect(one).toMatchObject({ rms: informativeness([system(others)], [broken])[0]!.rms });
});
