/**
 * LambdaRank for four measures: do random alterations of the learned weights raise the measure on the training data?
 */
import { z } from 'zod';
import { randomised } from '../../analysis/optimality/index.js';
import type { Dataset } from '../../data/dataset.js';
import type { Ranker } from '../../models/ranker.js';
import type { LinesChart } from '../../report/charts.js';
import { column, columns } from '../../report/columns.js';
import type { Section } from '../../report/document.js';
import { count } from '../../report/words.js';
import {
  type Altered,
  alter,
  alterationConfig,
  layersOf,
  learn,
  learnedConfig,
  ONE_LAYER,
  riseCells,
  riseColumns,
  type StepKind,
  stepKinds,
  stepTitles,
} from '../altered.js';
import { type Drawn, sharesDrawn } from '../drawn.js';
import { byValues } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { generatedConfig, generatedPart } from '../generated.js';
import type { Lab } from '../lab.js';

const config = z.strictObject({
  sets: z.array(
    generatedConfig.extend({
      name: z.string(),
      models: z.array(z.string()),
      steps: z.array(z.enum(stepKinds)),
      /** Whether random weights are altered too, for the first measure. */
      random: z.boolean(),
    }),
  ),
  models: z.array(learnedConfig),
  /** Each has a figure of the paper, in this order. */
  measures: z.array(z.string()),
  /** The discussion of the paper: weights after a few epochs only, and those learned for another measure. */
  discussion: z.strictObject({
    model: z.string(),
    measure: z.string(),
    epochs: z.array(z.int()),
    otherMeasure: z.string(),
  }),
  /** Other ways to train for the first measure, to see what becomes of the length of the weights. */
  trainings: z.array(learnedConfig.extend({ name: z.string() })),
  alterations: alterationConfig,
});
type Config = z.output<typeof config>;
type Set = Config['sets'][number];
type Model = Config['models'][number];

const LEARNED = 'learned';
const RANDOM = 'random';
const OTHERWISE = 'learned by ';
/** Steps of the paper's discussion. */
const DISCUSSED: StepKind[] = ['weights'];

/** Weights, altered. */
interface Row {
  readonly set: string;
  /** Queries. */
  readonly training: number;
  readonly model: string;
  /** Learned to the end, random ones of the same length, or others. */
  readonly weights: string;
  readonly altered: Altered;
}

interface Outcome {
  readonly measures: readonly string[];
  readonly threshold: number;
  readonly rows: readonly Row[];
}

export const donmez2009LocalOptimality = defineExperiment<Config, Outcome>({
  name: 'donmez-2009-local-optimality',
  title: 'whether LambdaRank’s weights are a local optimum of the measure trained for',
  paper: 'Donmez, Svore, Burges 2009, On the local optimality of LambdaRank, Figures 1 to 4 and 6',
  collections: [],
  config,
  async run(settings, lab) {
    const { measures, alterations } = settings;
    const pieces = settings.sets.flatMap(set => piecesOf(set, settings, lab));
    lab.expect(pieces.length);
    const rows = await lab.each(pieces, ({ key, work }) => lab.step(key, work));
    return { measures, threshold: alterations.threshold, rows: rows.flat() };
  },
  findings({ rows: all, threshold, measures }) {
    // The paper's claims are of large training data; smaller ones are there for comparison.
    const rows = all.filter(row => !all.some(other => isLarger(other, row)));
    // Steps that suit the length of the weights come first: they are the claim.
    const kinds = [...stepKinds].reverse().filter(kind => rows.some(({ altered }) => altered.kind === kind));
    return [
      ...kinds.flatMap(kind => {
        const own = rows.filter(({ altered }) => altered.kind === kind);
        const learned = own.filter(({ weights }) => weights === LEARNED);
        const nets = [...new Set(learned.map(({ model }) => model))];
        return [
          ...nets.map(model => thresholdFinding(model, learned, kind, threshold)),
          ...measures.map(measure => optimumFinding(measure, kind, learned)),
          singleFinding(learned, kind),
          randomFinding(own, kind, threshold),
        ];
      }),
      ...discussionFindings(rows),
    ];
  },
  sections({ rows, threshold, measures }) {
    return [
      learnedTable(rows, threshold),
      otherTable(rows, threshold),
      ...measures.map(measure => curves(`Shifting the weights: ${measure}`, measure, LEARNED, rows)),
      curves('Shifting random weights', measures[0]!, RANDOM, rows),
    ];
  },
});

function isLarger(other: Row, { set, training, model, weights, altered: { kind } }: Row): boolean {
  const alike = other.set === set && other.model === model && other.weights === weights && other.altered.kind === kind;
  return alike && other.training > training;
}

interface Piece {
  readonly key: string;
  work(): Promise<Row[]>;
}

/** Trainings of a set, each with what becomes of its weights. */
function piecesOf(set: Set, { models, measures, discussion, trainings, alterations }: Config, lab: Lab): Piece[] {
  let made: Dataset | undefined;
  const data = () => {
    made ??= generatedPart(set, 'training', lab.seed);
    return made;
  };
  const altered = async (model: Model, weights: string, ranker: Ranker, tested: string, kinds = set.steps) => {
    const rows: Row[] = [];
    for (const kind of kinds) {
      const [found] = await alter(ranker, data(), [tested], kind, alterations, lab);
      rows.push({ set: set.name, training: set.training, model: model.model, weights, altered: found! });
    }
    return rows;
  };
  const used = models.filter(({ model }) => set.models.includes(model));
  const name = ({ model }: Model) => `${set.name}, ${set.training} queries, ${model}`;
  const learned = used.flatMap(model =>
    measures.map((measure, m) => ({
      key: `${name(model)}, ${measure}`,
      async work() {
        const { model: ranker } = await learn(model, measure, data(), lab.seed, lab);
        const rows = await altered(model, LEARNED, ranker, measure);
        if (m === 0 && set.random) rows.push(...(await altered(model, RANDOM, randomised(ranker, lab.seed), measure)));
        if (model.model === discussion.model && measure === discussion.otherMeasure) {
          rows.push(...(await altered(model, `learned for ${measure}`, ranker, discussion.measure, DISCUSSED)));
        }
        return rows;
      },
    })),
  );
  const early = used
    .filter(({ model }) => model === discussion.model)
    .flatMap(model =>
      discussion.epochs.map(epochs => ({
        key: `${name(model)}, ${discussion.measure}, ${epochs} epochs`,
        async work() {
          const short = { ...model, options: { ...model.options, epochs } };
          const { model: ranker } = await learn(short, discussion.measure, data(), lab.seed, lab);
          return altered(model, `after ${epochs} epochs`, ranker, discussion.measure, DISCUSSED);
        },
      })),
    );
  const otherwise = trainings
    .filter(({ model }) => set.models.includes(model) && set.random)
    .map(({ name: way, ...model }) => ({
      key: `${name(model)}, ${measures[0]}, ${way}`,
      async work() {
        const { model: ranker } = await learn(model, measures[0]!, data(), lab.seed, lab);
        return altered(model, `${OTHERWISE}${way}`, ranker, measures[0]!);
      },
    }));
  return [...learned, ...early, ...otherwise];
}

const from = ({ set, model }: Row) => `${set}, ${layersOf(model)}`;

function counted(row: Row): string {
  const { directionsImproved, directions, gain } = row.altered.random;
  return `${directionsImproved} of ${directions} directions, at most ${signed(gain)}`;
}

/** Figures 1 to 4: no direction raises the measure. */
function optimumFinding(measure: string, kind: StepKind, all: readonly Row[]): Finding {
  const rows = all.filter(({ altered }) => altered.measure === measure);
  return {
    claim: `${measure}, ${stepTitles[kind]}: no random direction raises it from the learned weights`,
    paper: 'none of 459, one and two layers, three data sets',
    ours: rows.map(row => `${from(row)}: ${counted(row)}`).join('; '),
    ...byValues(rows.every(isOptimum)),
    drawn: raisingDrawn(rows, `${measure}, ${stepTitles[kind]}`),
  };
}

/** The share of the directions that raise the measure; in the paper none does. */
function raisingDrawn(rows: readonly Row[], what: string): Drawn {
  const shareOf = ({ altered: { random } }: Row) => random.directionsImproved / random.directions;
  return sharesDrawn(
    rows.map(row => ({ name: from(row), share: shareOf(row) })),
    `share of directions that raise ${what}`,
  );
}

function isOptimum({ altered: { random } }: Row): boolean {
  return random.directionsImproved === 0;
}

/** The paper's claim in the form that Yilmaz and Robertson 2010 give it: no rise above the threshold. */
function thresholdFinding(model: string, all: readonly Row[], kind: StepKind, threshold: number): Finding {
  const rows = all.filter(row => row.model === model);
  const above = rows.filter(({ altered }) => altered.random.directionsAbove > 0);
  const shown = above.map(row => {
    const { measure, random } = row.altered;
    return `${measure}, ${row.set}: ${random.directionsAbove} of ${random.directions} directions, at most ${signed(random.gain)}`;
  });
  return {
    claim: `${layersOf(model)}, ${stepTitles[kind]}: no random direction raises the measure trained for by more than ${threshold}`,
    paper: 'none of 459, four measures, three data sets',
    ours: `true of ${rows.length - above.length} of ${rows.length} models${above.length > 0 ? `; not of ${shown.join('; ')}` : ''}`,
    ...byValues(above.length === 0),
    drawn: sharesDrawn(
      rows.map(({ set, altered: { measure, random } }) => ({
        name: `${set}, ${measure}`,
        share: random.directionsAbove / random.directions,
      })),
      `share of directions above ${threshold}, ${layersOf(model)}, ${stepTitles[kind]}`,
    ),
  };
}

function singleFinding(rows: readonly Row[], kind: StepKind): Finding {
  const singles = rows.map(({ altered }) => altered.single!);
  const sum = (counts: readonly number[]) => counts.reduce((total, value) => total + value, 0);
  const tried = sum(singles.map(({ directions }) => directions));
  const improved = sum(singles.map(({ directionsImproved }) => directionsImproved));
  return {
    claim: `${stepTitles[kind]}, one weight at a time: no change raises the measure`,
    paper: 'in all cases',
    ours: `${improved} of ${tried} weights raise it, at most ${signed(Math.max(...singles.map(({ gain }) => gain)))}`,
    ...byValues(improved === 0),
    drawn: sharesDrawn(
      rows.map((row, r) => ({
        name: `${from(row)}, ${row.altered.measure}`,
        share: singles[r]!.directionsImproved / singles[r]!.directions,
      })),
      `share of weights that raise the measure alone, ${stepTitles[kind]}`,
    ),
  };
}

/** The paper draws one layer only. With steps that suit the length of the weights two layers must fail too. */
function randomFinding(rows: readonly Row[], kind: StepKind, threshold: number): Finding {
  const controls = rows.filter(({ weights }) => weights === RANDOM);
  const shown = controls.map(row => {
    const { directionsAbove, directions } = row.altered.random;
    return `${from(row)}: ${directionsAbove} of ${directions} directions`;
  });
  const asked = kind === 'weights' ? controls : controls.filter(({ model }) => layersOf(model) === ONE_LAYER);
  return {
    claim: `${stepTitles[kind]}, ${kind === 'weights' ? 'one and two layers' : ONE_LAYER}: random weights are no local optimum, to within ${threshold}`,
    paper: '2 of the 4 directions drawn raise NDCG (one layer)',
    ours: `raise it by more than ${threshold}: ${shown.join('; ')}`,
    ...byValues(asked.every(({ altered }) => altered.random.directionsAbove > 0)),
    drawn: {
      y: `share of directions above ${threshold} from random weights, ${stepTitles[kind]}`,
      axis: 'share',
      style: 'percent',
      reference: 0,
      curves: asked.map(row => ({
        name: from(row),
        at: [0],
        ours: [row.altered.random.directionsAbove / row.altered.random.directions],
      })),
    },
  };
}

/** Section 8: weights that cannot be the best ones pass the test too. */
function discussionFindings(all: readonly Row[]): Finding[] {
  const rows = all.filter(row => isOther(row) && !row.weights.startsWith(OTHERWISE));
  return [...new Set(rows.map(({ weights }) => weights))].map(weights => {
    const own = rows.filter(row => row.weights === weights);
    return {
      claim: `${own[0]!.altered.measure}, ${stepTitles.weights}: weights ${weights} are a local optimum too`,
      paper: 'they are (two layers, 10K Web data)',
      ours: own.map(row => `${from(row)}: ${counted(row)}`).join('; '),
      ...byValues(own.every(isOptimum)),
      drawn: raisingDrawn(own, `${own[0]!.altered.measure}, weights ${weights}`),
    };
  });
}

function isOther({ weights }: Row): boolean {
  return weights !== LEARNED && weights !== RANDOM;
}

function signed(gain: number): string {
  return `${gain < 0 ? '−' : '+'}${Math.abs(gain).toFixed(4)}`;
}

const rowColumns = [
  column('data'),
  column('queries', 'count'),
  ...columns(undefined, 'model', 'measure', 'steps times'),
] as const;

function rowCells({ set, training, model, altered: { measure, kind } }: Row) {
  return [set, training, layersOf(model), measure, kind];
}

function learnedTable(all: readonly Row[], threshold: number): Section {
  const rows = all.filter(({ weights }) => weights === LEARNED);
  return {
    title: 'Alterations of the learned weights',
    lead: 'A direction counts where one of its ten steps raises the measure. With 459 directions one can be 99 % sure that of all directions no larger share than the one shown does. Steps are of 0.1 to 1.0, as such (one) or times the length of the weights.',
    blocks: [
      {
        kind: 'table',
        title: 'Directions that raise the measure on the training data',
        columns: [
          ...rowColumns,
          ...riseColumns('directions', threshold),
          column('share at most', 'percent'),
          ...columns('count', 'single weights', 'raise it alone'),
        ],
        rows: rows.map(row => {
          const { single, shareAtMost } = row.altered;
          const alone = [single!.directions, single!.directionsImproved];
          return [...rowCells(row), ...riseCells('directions', row.altered), shareAtMost, ...alone];
        }),
      },
    ],
  };
}

function otherTable(all: readonly Row[], threshold: number): Section {
  const rows = [...all.filter(({ weights }) => weights === RANDOM), ...all.filter(isOther)];
  return {
    title: 'Alterations of other weights',
    lead: 'Random weights of the same length as those learned must fail the test. Weights of early epochs, or learned for another measure, passed it in the paper. Weights learned in other ways have other lengths.',
    blocks: [
      {
        kind: 'table',
        title: 'Directions that raise the measure from other weights',
        columns: [{ title: 'weights' }, ...rowColumns, ...riseColumns('directions', threshold)],
        rows: rows.map(row => [row.weights, ...rowCells(row), ...riseCells('directions', row.altered)]),
      },
    ],
  };
}

function curves(title: string, measure: string, weights: string, all: readonly Row[]): Section {
  const rows = all.filter(row => row.weights === weights && row.altered.measure === measure);
  return { title, blocks: rows.map(chart) };
}

function chart({ set, training, model, weights, altered }: Row): LinesChart {
  const { measure, kind, value, steps, curves: drawn } = altered;
  return {
    kind: 'lines',
    title: `${measure}, ${set}, ${count(training)} queries, ${layersOf(model)}${weights === RANDOM ? ', from random weights' : ''}`,
    note: 'Above the dashed line the measure has risen.',
    x: { label: kind === 'weights' ? 'step, times the length of the weights' : 'step' },
    y: { label: measure, style: 'value' },
    reference: value,
    series: drawn.map((values, d) => ({ name: `direction ${count(d + 1)}`, x: [0, ...steps], y: [value, ...values] })),
  };
}
