/** Which measure tells more of the lists it evaluates, by maximum entropy, on runs of TREC-style collections. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { informativeness, kendallTau, readSystem, type System } from '../../analysis/index.js';
import { TOLERANCE } from '../../analysis/informativeness/infer.js';
import { fileInput, readQrels, selectQueries } from '../../data/index.js';
import { parseMeasure } from '../../measures/parse.js';
import { mean, sum } from '../../numeric/vectors.js';
import { column, columns } from '../../report/columns.js';
import type { Section } from '../../report/document.js';
import { count } from '../../report/words.js';
import { resampled } from '../bootstrap.js';
import { testedDrawn } from '../drawn.js';
import { above, type Tested, together } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import type { Lab } from '../lab.js';

/** What is to be predicted. */
const TARGET = 'p@10';
const collections = ['trec-covid-r1', 'clef-ehealth-2015'] as const;

const config = z.strictObject({
  /** So many systems and topics of each collection; all where left out. */
  systems: z.int().optional(),
  topics: z.int().optional(),
  /** Measures to infer from. */
  measures: z.array(z.string()),
});
type Config = z.output<typeof config>;

/** One topic, inferred from one measure. */
interface Inferred {
  readonly measure: string;
  /** Means over lists. */
  readonly rms: number | null;
  readonly mae: number | null;
  readonly entropy: number | null;
  readonly lists: number;
  readonly failed: number;
  readonly curve: readonly {
    readonly recall: number;
    readonly inferred: number | null;
    readonly actual: number | null;
  }[];
  /** By system; null where its list does not count. */
  readonly actual: readonly (number | null)[];
  readonly target: readonly (number | null)[];
  readonly predicted: readonly (number | null)[];
}

interface Collection {
  readonly name: string;
  readonly systems: number;
  readonly topics: number;
  readonly lists: number;
  readonly failed: number;
  readonly measures: readonly Summary[];
  readonly contrasts: readonly (Tested & { readonly name: string })[];
  /** A dot a system, as in Figures 1 and 3. */
  readonly dots: readonly {
    readonly measure: string;
    readonly actual: number;
    readonly target: number;
    readonly predicted: number;
  }[];
}

/** Over all lists of a collection. */
interface Summary {
  readonly measure: string;
  readonly rms: number;
  readonly mae: number;
  readonly entropy: number;
  /**
   * Between the systems' means of the measure and of P@10 (Figure 1), and between the P@10 inferred and the real one
   * (Figure 3).
   */
  readonly correlation: { readonly rms: number; readonly tau: number };
  readonly prediction: { readonly rms: number; readonly tau: number };
  readonly curve: readonly { readonly recall: number; readonly inferred: number; readonly actual: number }[];
}

export const yilmaz2010Informativeness = defineExperiment<Config, { collections: readonly Collection[] }>({
  name: 'yilmaz-2010-informativeness',
  title: 'which measure tells more of the lists it evaluates',
  paper:
    'Yilmaz, Robertson 2010, On the choice of effectiveness measures for learning to rank, Table 1, Figures 1 and 3',
  collections,
  config,
  async run(settings, lab) {
    const held: Collection[] = [];
    for (const name of collections) held.push(await follow(name, settings, lab));
    return { collections: held };
  },
  findings: outcome => outcome.collections.flatMap(findings),
  sections: outcome => outcome.collections.map(section),
});

async function follow(name: string, { systems: most, topics, measures }: Config, lab: Lab): Promise<Collection> {
  const systems = await readSystems(lab.data(name), most);
  const taken = systems[0]!.data.queryIds.slice(0, topics);
  lab.expect(taken.length);
  const found = await lab.each(taken, (topic, q) =>
    lab.step(`${name}, topic ${topic}`, () => inferTopic(systems, q, measures)),
  );
  /** By measure, then by topic. */
  const byMeasure = new Map(measures.map((measure, m) => [measure, found.map(ofTopic => ofTopic[m]!)]));
  return {
    name,
    systems: systems.length,
    topics: taken.length,
    lists: sum(found.map(([first]) => first!.lists)),
    failed: sum(found.flatMap(ofTopic => ofTopic.map(({ failed }) => failed))),
    measures: [...byMeasure].map(([measure, ofTopics]) => summary(measure, ofTopics)),
    contrasts: contrasts.map(({ name: contrast, one, other, of }) => {
      const [a, b] = [byMeasure.get(one)!, byMeasure.get(other)!];
      const difference = (drawn: readonly number[]) => of(drawn.map(t => a[t]!)) - of(drawn.map(t => b[t]!));
      return { name: contrast, ...resampled('topics', taken.length, difference, lab.seed) };
    }),
    dots: [...byMeasure].flatMap(([measure, ofTopics]) => {
      const means = systemMeans(ofTopics);
      return means.target.map((target, s) => ({
        measure,
        target,
        actual: means.actual[s]!,
        predicted: means.predicted[s]!,
      }));
    }),
  };
}

async function readSystems(directory: string, most: number | undefined): Promise<System[]> {
  const judged = await readQrels(await fileInput(join(directory, 'qrels.txt.gz')));
  const systems: System[] = [];
  for (const file of readdirSync(join(directory, 'runs')).sort().slice(0, most)) {
    // A topic that a run lacks is a list of no documents.
    systems.push(await readSystem(file, await fileInput(join(directory, 'runs', file)), judged, { complete: true }));
  }
  return systems;
}

function inferTopic(systems: readonly System[], query: number, measures: readonly string[]): Inferred[] {
  const ofTopic = systems.map(({ name, data, scores }) => ({
    name,
    data: selectQueries(data, [query]),
    scores: Float64Array.from(
      { length: data.offsets[query + 1]! - data.offsets[query]! },
      (_, row) => scores[data.offsets[query]! + row]!,
    ),
  }));
  return measures.flatMap(spec => {
    const measure = parseMeasure(spec);
    return informativeness(ofTopic, [measure], { predict: [parseMeasure(TARGET), measure] }).map(
      ({ rms, mae, entropy, lists, failed, curve, predictions: [target, same] }) => ({
        measure: spec,
        rms: known(rms),
        mae: known(mae),
        entropy: known(entropy),
        lists,
        failed,
        curve: curve.map(({ recall, inferred, actual }) => ({
          recall,
          inferred: known(inferred),
          actual: known(actual),
        })),
        actual: same!.systems.map(({ actual }) => known(actual)),
        target: target!.systems.map(({ actual }) => known(actual)),
        predicted: target!.systems.map(({ predicted }) => known(predicted)),
      }),
    );
  });
}

/** JSON has no NaN. */
const known = (value: number) => (Number.isNaN(value) ? null : value);

/** A mean over lists of what is a mean over lists in each topic. */
function overLists(topics: readonly Inferred[], of: (topic: Inferred) => number | null): number {
  return sum(topics.map(topic => topic.lists * (of(topic) ?? 0))) / sum(topics.map(({ lists }) => lists));
}

/** Means over the topics whose list counts. */
function systemMeans(topics: readonly Inferred[]): Record<'actual' | 'target' | 'predicted', number[]> {
  const of = (which: 'actual' | 'target' | 'predicted') =>
    topics[0]!.target.map((_, s) => mean(topics.map(topic => topic[which][s]!).filter(value => value !== null)));
  return { actual: of('actual'), target: of('target'), predicted: of('predicted') };
}

const distance = (a: readonly number[], b: readonly number[]) =>
  Math.sqrt(mean(a.map((value, s) => (value - b[s]!) ** 2)));

const tau = (a: readonly number[], b: readonly number[]) => kendallTau(a, b, TOLERANCE);

const statistics = {
  curveRms: topics => overLists(topics, ({ rms }) => rms),
  curveMae: topics => overLists(topics, ({ mae }) => mae),
  correlationRms: topics => between(topics, 'actual', distance),
  correlationTau: topics => between(topics, 'actual', tau),
  predictionRms: topics => between(topics, 'predicted', distance),
  predictionTau: topics => between(topics, 'predicted', tau),
} satisfies Record<string, (topics: readonly Inferred[]) => number>;

function between(
  topics: readonly Inferred[],
  which: 'actual' | 'predicted',
  of: (a: readonly number[], b: readonly number[]) => number,
): number {
  const means = systemMeans(topics);
  return of(means[which], means.target);
}

/** One less the other, so that a claim holds where it is above 0. */
const contrasts = (
  [
    ['Table 1, root of the mean square', 'ndcg', 'ap', 'curveRms'],
    ['Table 1, mean absolute error', 'ndcg', 'ap', 'curveMae'],
    ['P@10 and AP, root of the mean square', TARGET, 'ap', 'curveRms'],
    ['P@10 and AP, mean absolute error', TARGET, 'ap', 'curveMae'],
    ['P@10 and NDCG, root of the mean square', TARGET, 'ndcg', 'curveRms'],
    ['P@10 and NDCG, mean absolute error', TARGET, 'ndcg', 'curveMae'],
    ['Figure 1, root of the mean square', 'ap', 'ndcg', 'correlationRms'],
    ['Figure 1, tau', 'ndcg', 'ap', 'correlationTau'],
    ['Figure 3, root of the mean square', 'ndcg', 'ap', 'predictionRms'],
    ['Figure 3, tau', 'ap', 'ndcg', 'predictionTau'],
  ] as const
).map(([name, one, other, statistic]) => ({ name, one, other, of: statistics[statistic] }));

function summary(measure: string, topics: readonly Inferred[]): Summary {
  return {
    measure,
    rms: statistics.curveRms(topics),
    mae: statistics.curveMae(topics),
    entropy: overLists(topics, ({ entropy }) => entropy),
    correlation: { rms: statistics.correlationRms(topics), tau: statistics.correlationTau(topics) },
    prediction: { rms: statistics.predictionRms(topics), tau: statistics.predictionTau(topics) },
    curve: topics[0]!.curve.map(({ recall }, i) => ({
      recall,
      inferred: overLists(topics, ({ curve }) => curve[i]!.inferred),
      actual: overLists(topics, ({ curve }) => curve[i]!.actual),
    })),
  };
}

function findings({ name, measures, contrasts: tested }: Collection): Finding[] {
  const of = (measure: string) => measures.find(one => one.measure === measure)!;
  const test = (contrast: string) => tested.find(one => one.name === contrast)!;
  const lead = (contrast: string) =>
    testedDrawn(`${contrast}, ${name}`, test(contrast), 'difference, above 0 where the claim points');
  const curves = (...shown: readonly [measure: string, title: string][]) =>
    shown
      .map(([measure, title]) => `${title} ${of(measure).rms.toFixed(3)} and ${of(measure).mae.toFixed(3)}`)
      .join(', ');
  const both = (contrast: string) =>
    together([above(test(`${contrast}, root of the mean square`)), above(test(`${contrast}, mean absolute error`))]);
  const at = (which: 'correlation' | 'prediction', statistic: 'rms' | 'tau') =>
    `from AP ${of('ap')[which][statistic].toFixed(3)}, from NDCG ${of('ndcg')[which][statistic].toFixed(3)}`;
  return [
    {
      claim: `Table 1, ${name}: precision-recall curves inferred from AP are nearer to the real ones than from NDCG`,
      paper: 'always better, by root of the mean square and by mean absolute error',
      ours: curves(['ap', 'AP'], ['ndcg', 'NDCG']),
      ...both('Table 1'),
      ...lead('Table 1, root of the mean square'),
    },
    {
      claim: `section 3.3, ${name}: AP tells more than P@10`,
      paper: 'more informative',
      ours: curves(['ap', 'AP'], [TARGET, 'P@10']),
      ...both('P@10 and AP'),
      ...lead('P@10 and AP, root of the mean square'),
    },
    {
      claim: `section 3.3, ${name}: NDCG tells more than P@10`,
      paper: 'more informative',
      ours: curves(['ndcg', 'NDCG'], [TARGET, 'P@10']),
      ...both('P@10 and NDCG'),
      ...lead('P@10 and NDCG, root of the mean square'),
    },
    {
      claim: `Figure 1, ${name}: the value of NDCG is nearer to that of P@10 than AP is`,
      paper: 'more correlated: smaller root of the mean square',
      ours: at('correlation', 'rms'),
      ...above(test('Figure 1, root of the mean square')),
      ...lead('Figure 1, root of the mean square'),
    },
    {
      claim: `Figure 1, ${name}: NDCG orders systems more like P@10 than AP does`,
      paper: 'more correlated: higher Kendall’s tau',
      ours: at('correlation', 'tau'),
      ...above(test('Figure 1, tau')),
      ...lead('Figure 1, tau'),
    },
    {
      claim: `Figure 3, ${name}: P@10 inferred from AP is nearer to the real one than from NDCG`,
      paper: 'smaller root of the mean square on TREC 9, larger on TREC 10 for two systems',
      ours: at('prediction', 'rms'),
      ...above(test('Figure 3, root of the mean square')),
      ...lead('Figure 3, root of the mean square'),
    },
    {
      claim: `Figure 3, ${name}: P@10 inferred from AP orders systems more like the real one than from NDCG`,
      paper: 'much more information about P@10',
      ours: at('prediction', 'tau'),
      ...above(test('Figure 3, tau')),
      ...lead('Figure 3, tau'),
    },
  ];
}

function section({ name, systems, topics, lists, failed, measures, contrasts: tested, dots }: Collection): Section {
  const { curve } = measures[0]!;
  const recall = curve.map(point => point.recall);
  const drawn = dots.filter(({ measure }) => ['ap', 'ndcg'].includes(measure));
  const scatter = (title: string, label: string, which: 'actual' | 'predicted') =>
    ({
      kind: 'scatter',
      title: `${title}, ${name}`,
      x: { label, style: 'value' },
      y: { label: 'P@10', style: 'value' },
      item: 'system',
      diagonal: which === 'predicted',
      points: drawn.map((dot, s) => ({ name: `system ${s + 1}`, x: dot[which], y: dot.target, series: dot.measure })),
    }) as const;
  return {
    title: name,
    lead: `${count(systems)} systems, ${count(topics)} topics: ${count(lists)} lists with a relevant document. Lists for which no distribution was found, over all measures: ${count(failed)}. Tests draw topics again and again, with repetitions.`,
    blocks: [
      {
        kind: 'lines',
        title: `Mean precision by recall, ${name}`,
        x: { label: 'recall, of the relevant documents in the list', domain: [0, 1] },
        y: { label: 'precision', style: 'value', domain: [0, 1] },
        series: [
          { name: 'real', x: recall, y: curve.map(point => point.actual) },
          ...measures.map(one => ({
            name: `from ${one.measure}`,
            x: recall,
            y: one.curve.map(point => point.inferred),
          })),
        ],
      },
      scatter('Figure 1: measures and P@10 of each system', 'AP, NDCG', 'actual'),
      scatter('Figure 3: P@10 inferred and real', 'P@10 inferred', 'predicted'),
      {
        kind: 'table',
        title: `Inferred from a measure, ${name}`,
        columns: [
          column('measure'),
          ...columns(
            'value',
            'Table 1: RMS',
            'Table 1: MAE',
            'entropy left',
            'Figure 1: RMS',
            'Figure 1: tau',
            'Figure 3: RMS',
            'Figure 3: tau',
          ),
        ],
        rows: measures.map(({ measure, rms, mae, entropy, correlation, prediction }) => [
          measure,
          rms,
          mae,
          entropy,
          correlation.rms,
          correlation.tau,
          prediction.rms,
          prediction.tau,
        ]),
      },
      {
        kind: 'table',
        title: `What is compared, ${name}`,
        columns: [
          column('contrast'),
          column('difference', 'difference'),
          column('standard error', 'value'),
          column('p', 'p'),
        ],
        rows: tested.map(({ name: contrast, difference, error, p }) => [contrast, difference, error, p]),
      },
    ],
  };
}
