/** When does the measure trained for matter: few or many features, little or much training data? */
import { z } from 'zod';
import { kendallTau } from '../../analysis/index.js';
import { evaluate } from '../../measures/evaluate.js';
import { parseMeasure } from '../../measures/parse.js';
import { scoreData } from '../../models/ranker.js';
import { column, columns } from '../../report/columns.js';
import type { Section } from '../../report/document.js';
import { count } from '../../report/words.js';
import { trainNamed } from '../../training/train.js';
import {
  type Against,
  againstDrawn,
  type Contest,
  type Contested,
  contestConfig,
  holdContests,
  type Planned,
  testsOf,
} from '../contest.js';
import { contestTable } from '../contest-table.js';
import { signedPoints } from '../cut-table.js';
import { type Drawn, testedDrawn } from '../drawn.js';
import { above, alike, type Evidence, testedOver, together } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { generatedConfig, generatedParts } from '../generated.js';
import type { Lab } from '../lab.js';

/** An informative measure and the measure of the top of the list that is tested. */
const pairs = [
  { informative: { name: 'AP', measure: 'ap' }, top: { name: 'P@10', measure: 'p@10' } },
  { informative: { name: 'NDCG', measure: 'ndcg' }, top: { name: 'NDCG@10', measure: 'ndcg@10' } },
] as const;
type Pair = (typeof pairs)[number];
const trained = pairs.flatMap(({ informative, top }) => [informative, top]);

const contest: Contest = {
  entrants: trained.map(({ name, measure }) => ({ name, select: measure, objective: `lambdarank(${measure})` })),
  tests: pairs.map(({ top }) => ({ measure: top.measure, base: top.name })),
};

const config = contestConfig.extend({
  /** Figure 4: features by number from 0, all where left out, and shares of the training queries. */
  features: z.array(z.strictObject({ name: z.string(), of: z.array(z.int()).optional() })),
  shares: z.array(z.number()),
  /** Table 4: so many training queries. */
  many: z.int(),
  /** Figure 5: how far apart two trainings may end on the training data and still be called alike. */
  margin: z.number(),
});
type Config = z.output<typeof config>;

interface Cell {
  readonly features: string;
  readonly training: number;
  readonly contests: readonly Contested[];
}

/** Along one training, by epoch: what is trained for, and the measure of the top on training and validation data. */
interface Curve {
  readonly seed: number;
  readonly trained: string;
  readonly tested: string;
  readonly objective: readonly number[];
  readonly top: readonly number[];
  readonly validation: readonly number[];
}

interface Outcome {
  readonly cells: readonly Cell[];
  readonly many: { readonly training: number; readonly contests: readonly Contested[] };
  readonly curves: readonly Curve[];
  readonly margin: number;
}

export const yilmaz2010Figures45 = defineExperiment<Config, Outcome>({
  name: 'yilmaz-2010-figures-4-5',
  title: 'when the measure trained for matters: features and training data',
  paper:
    'Yilmaz, Robertson 2010, On the choice of effectiveness measures for learning to rank, Figures 4 and 5, Table 4',
  collections: [],
  config,
  async run({ features, shares, many, margin, ...settings }, lab) {
    const shape = (training: number, only: readonly number[] | undefined) =>
      generatedConfig.parse({ ...settings.data, training, ...(only && { only }) });
    const planned = features.flatMap(({ name, of }) =>
      shares.map(share => {
        const training = Math.round(share * settings.data.training);
        return { features: name, training, config: { ...settings, data: shape(training, of) } };
      }),
    );
    const all: Planned[] = [
      ...planned.map(cell => ({
        label: `${cell.features} features, ${cell.training} queries, `,
        contest,
        config: cell.config,
      })),
      { label: 'Table 4, ', contest, config: { ...settings, data: shape(many, undefined) } },
    ];
    lab.expect(trained.length * settings.dataSets);
    const held = await holdContests(all, lab);
    return {
      cells: planned.map(({ features: name, training }, c) => ({ features: name, training, contests: held[c]! })),
      many: { training: many, contests: held.at(-1)! },
      curves: await learningCurves(settings, lab),
      margin,
    };
  },
  findings: outcome => pairs.flatMap((pair, p) => findings(outcome, pair, p)),
  sections,
});

async function learningCurves(
  { data, dataSets, model, rates, options }: Omit<Config, 'features' | 'shares' | 'many' | 'margin'>,
  lab: Lab,
): Promise<Curve[]> {
  const byData = await lab.each(lab.seeds(dataSets), async seed => {
    const parts = generatedParts(data, seed);
    const curves: Curve[] = [];
    for (const { informative, top } of pairs) {
      for (const { measure } of [informative, top]) {
        const key = `learning curve, ${measure} for ${top.measure}, data ${seed}`;
        curves.push(
          await lab.step(key, async () => {
            const training = parts('training');
            const measures = [measure, top.measure].map(spec => parseMeasure(spec));
            const curve = { objective: [] as number[], top: [] as number[], validation: [] as number[] };
            await trainNamed({
              data: training,
              validate: parts('validation'),
              model,
              objective: `lambdarank(${measure})`,
              select: measure,
              measures: top.measure,
              options: { ...options, rate: rates[0]! },
              seed,
              threads: lab.threads,
              signal: lab.signal,
              onIteration: ({ measures: values }, _, ranker) => {
                const [objective, tested] = evaluate(training, scoreData(ranker!(), training), measures);
                curve.objective.push(objective!.mean);
                curve.top.push(tested!.mean);
                curve.validation.push(values![top.measure]!);
              },
            });
            return { seed, trained: measure, tested: top.measure, ...curve };
          }),
        );
      }
    }
    return curves;
  });
  return byData.flat();
}

function againstOf(contests: readonly Contested[], { informative, top }: Pair): Against {
  const held = contests.find(({ measure }) => measure === top.measure)!;
  return held.results.find(({ name }) => name === informative.name)!.against!;
}

function findings({ cells, many, curves, margin }: Outcome, pair: Pair, p: number): Finding[] {
  const { informative, top } = pair;
  const names = [...new Set(cells.map(({ features }) => features))];
  const of = (features: string) => cells.filter(cell => cell.features === features);
  const better = (contests: readonly Contested[]) => above(...testsOf(againstOf(contests, pair), 'all'));
  const same = (contests: readonly Contested[]) => alike({}, ...testsOf(againstOf(contests, pair), 'all'));
  const shown = (contests: readonly Contested[]) => {
    const { difference, interval } = againstOf(contests, pair);
    return `${signedPoints(difference)} (${interval.map(signedPoints).join(' to ')})`;
  };
  const along = (of: readonly Cell[]) =>
    of.map(({ training, contests }) => `${shown(contests)} with ${count(training)} queries`).join(', ');
  const [few, some, every] = [of(names[0]!), of(names[1]!), of(names[2]!)];
  const claim = (text: string, paper: string, ours: string, evidence: Evidence, drawn: Drawn): Finding => ({
    claim: `${text}, tested on ${top.name}: training for ${informative.name} against training for ${top.name}`,
    paper,
    ours,
    ...evidence,
    drawn,
  });
  const curve = (own: readonly Cell[]) => sharesCurve(own, pair);
  const dot = (contests: readonly Contested[], text: string) =>
    againstDrawn(`${text}: for ${informative.name} less for ${top.name}`, againstOf(contests, pair));
  // The largest share comes last.
  const less = some.slice(0, -1);
  const gain = againstOf(every[0]!.contests, pair).dataSets.map(
    (difference, d) => difference - againstOf(every.at(-1)!.contests, pair).dataSets[d]!,
  );
  const gained = testedOver('data sets', gain);
  return [
    claim(
      `Figure 4, ${names[0]} features`,
      'no significant difference, for all amounts of training data',
      along(few),
      together(few.map(({ contests }) => same(contests))),
      curve(few),
    ),
    claim(
      `Figure 4, ${names[1]} features, less than all training data`,
      'significantly better',
      along(less),
      together(less.map(({ contests }) => better(contests))),
      curve(less),
    ),
    claim(
      `Figure 4, ${names[1]} features, all training data`,
      'no significant difference',
      shown(some.at(-1)!.contests),
      same(some.at(-1)!.contests),
      dot(some.at(-1)!.contests, `${names[1]} features, all training data`),
    ),
    claim(
      `Figure 4, ${names[2]} features, every amount of training data`,
      'consistently significantly better',
      along(every),
      together(every.map(({ contests }) => better(contests))),
      curve(every),
    ),
    claim(
      `Figure 4, ${names[2]} features, more is gained with ${count(every[0]!.training)} training queries than with ${count(every.at(-1)!.training)}`,
      'tends to matter more when less training data is available',
      `${shown(every[0]!.contests)} against ${shown(every.at(-1)!.contests)}`,
      above(gained),
      testedDrawn(`gain with little less gain with all training data, ${top.name}`, gained).drawn!,
    ),
    claim(
      `Table 4, ${count(many.training)} training queries`,
      'better, with 30,000 queries in place of 2,000',
      shown(many.contests),
      better(many.contests),
      dot(many.contests, `Table 4, ${top.name}`),
    ),
    ...curveFindings(
      curves.filter(({ tested }) => tested === top.measure),
      pair,
      margin,
      p,
    ),
  ];
}

/** The lead of the informative measure, by training queries. */
function sharesCurve(cells: readonly Cell[], pair: Pair): Drawn {
  const found = cells.map(({ contests }) => againstOf(contests, pair));
  return {
    y: `${pair.top.name}: for ${pair.informative.name} less for ${pair.top.name}`,
    style: 'difference',
    reference: 0,
    x: { label: 'training queries' },
    curves: [
      {
        at: cells.map(({ training }) => training),
        ours: found.map(({ difference }) => difference),
        low: found.map(({ interval }) => interval[0]),
        high: found.map(({ interval }) => interval[1]),
      },
    ],
  };
}

function curveFindings(curves: readonly Curve[], { informative, top }: Pair, margin: number, p: number): Finding[] {
  const wide = curves.filter(curve => curve.trained === informative.measure);
  const narrow = curves.filter(curve => curve.trained === top.measure);
  const taus = wide.map(({ objective, top: values }) => kendallTau(objective, values));
  const ends = wide.map((one, d) => Math.max(...one.top) - Math.max(...narrow[d]!.top));
  const [followed, apart] = [testedOver('data sets', taus), testedOver('data sets', ends)];
  const plot = ['top', 'bottom'][p]!;
  return [
    {
      claim: `Figure 5, ${plot} left: while training for ${informative.name}, ${top.name} follows it on the training data`,
      paper: 'a very similar trend',
      ours: `Kendall’s tau over epochs ${taus.map(tau => tau.toFixed(2)).join(', ')}`,
      ...above(followed),
      ...testedDrawn(`${informative.name} and ${top.name}`, followed, 'Kendall’s tau over epochs'),
    },
    {
      claim: `Figure 5, ${plot} right: ${top.name} on the training data gets as far trained for ${informative.name} as for ${top.name} (within ${100 * margin} points)`,
      paper: 'behaving in a very similar way',
      ours: `best epochs differ by ${ends.map(signedPoints).join(', ')}`,
      ...alike({ margin }, apart),
      ...testedDrawn(`best epoch on the training data, ${top.name}`, apart),
    },
  ];
}

function sections({ cells, many, curves }: Outcome): Section[] {
  return [
    ...pairs.map(pair => figure4(cells, pair)),
    {
      title: 'Table 4',
      blocks: [contestTable(`Table 4: ${count(many.training)} training queries`, many.contests, undefined, 'all')],
    },
    figure5(curves),
  ];
}

function figure4(cells: readonly Cell[], pair: Pair): Section {
  const { informative, top } = pair;
  const title = `Figure 4: tested on ${top.name}`;
  const names = [...new Set(cells.map(({ features }) => features))];
  const resultOf = (contests: readonly Contested[], name: string) =>
    contests.find(({ measure }) => measure === top.measure)!.results.find(one => one.name === name)!;
  return {
    title,
    blocks: [
      {
        kind: 'lines',
        title,
        x: { label: 'training queries', style: 'count', scale: 'log' },
        y: { label: top.name, style: 'value' },
        series: names.flatMap(features =>
          [informative, top].map(({ name }) => {
            const own = cells.filter(cell => cell.features === features);
            return {
              name: `${features} features, ${name}`,
              x: own.map(({ training }) => training),
              y: own.map(({ contests }) => resultOf(contests, name).mean),
            };
          }),
        ),
      },
      {
        kind: 'table',
        title,
        columns: [
          column('features'),
          column('training queries', 'count'),
          ...columns('value', informative.name, top.name),
          column('difference', 'difference'),
          ...columns('p', 'p (t)', 'p (wilcoxon)', 'p (sign)'),
          column('better on', 'count'),
        ],
        rows: cells.map(({ features, training, contests }) => {
          const { difference, p, better } = againstOf(contests, pair);
          return [
            features,
            training,
            resultOf(contests, informative.name).mean,
            resultOf(contests, top.name).mean,
            difference,
            p.t,
            p.wilcoxon,
            p.sign,
            better,
          ];
        }),
      },
    ],
  };
}

/** Of the first data set. */
function figure5(curves: readonly Curve[]): Section {
  const { seed } = curves[0]!;
  const line = (name: string, y: readonly number[]) => ({ name, x: y.map((_, epoch) => epoch + 1), y });
  return {
    title: 'Figure 5: learning curves',
    lead: `Of the data of seed ${seed}.`,
    blocks: curves
      .filter(curve => curve.seed === seed)
      .map(({ trained: measure, tested, objective, top, validation }) => ({
        kind: 'lines',
        title: `Trained for ${measure}, tested on ${tested}`,
        x: { label: 'epoch', style: 'count' },
        y: { label: 'value', style: 'value' },
        series: [
          ...(measure === tested ? [] : [line(`${measure}, training data`, objective)]),
          line(`${tested}, training data`, top),
          line(`${tested}, validation data`, validation),
        ],
      })),
  };
}
