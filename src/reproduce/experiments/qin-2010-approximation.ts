/**
 * How close smooth positions are to ranks, and how close ApproxAP and ApproxNDCG stay to their measures while training.
 */
import { z } from 'zod';
import { approximationAlongTraining, approximationOf, variedSpecs } from '../../analysis/approximation.js';
import { type Dataset, normalisations, normalise, readLetor } from '../../data/index.js';
import { LinearModel } from '../../models/linear/linear.js';
import { SigmoidRanking } from '../../objectives/approx/sigmoid-ranking.js';
import { sigmoids } from '../../objectives/approx/sigmoids.js';
import { parseObjective } from '../../objectives/parse.js';
import { column, columns } from '../../report/columns.js';
import type { Section } from '../../report/document.js';
import { byValues, type Evidence, undecided } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import type { Lab } from '../lab.js';

/** Table 1: scores, and the positions that the paper prints. */
const SCORES = [4.20074, 3.12378, 4.40918, 1.55258, 4.1333];
const PRINTED = [2.00118, 4, 1, 5, 2.99882];
const ALPHA = 100;
const BETA = 100;
/** Bounds that the paper prints for the example: of positions, of AP with one relevant document, of NDCG. */
const PRINTED_BOUNDS = { positions: 0.00471, ap: 0.0024, ndcg: 0.00085 };

const config = z.strictObject({
  normalise: z.enum(Object.keys(normalisations) as (keyof typeof normalisations)[]),
  options: z.record(z.string(), z.unknown()),
  figures: z.array(
    z.strictObject({
      name: z.string(),
      objective: z.string(),
      /** The parameter of the objective that varies, and its values, rising. */
      parameter: z.string(),
      values: z.array(z.string()),
      /** The accuracy (1 - error) that the paper claims of the lowest and of the highest value, where it does. */
      accuracy: z.tuple([z.number(), z.number()]).optional(),
    }),
  ),
});
type Config = z.output<typeof config>;

interface Figure {
  readonly name: string;
  readonly measure: string;
  readonly parameter: string;
  readonly accuracy?: readonly [number, number] | undefined;
  readonly runs: readonly Run[];
}

interface Run extends Followed {
  readonly value: string;
  readonly objective: string;
}

interface Followed {
  /** The measure on the training queries after the last epoch, exact and smooth. */
  readonly exact: number;
  readonly smooth: number;
  /** Mean of |smooth - exact| after each epoch. */
  readonly errors: readonly number[];
}

interface Outcome {
  readonly positions: readonly { readonly score: number; readonly rank: number; readonly position: number }[];
  readonly bounds: Bounds;
  readonly figures: readonly Figure[];
}

/** The largest error of a position in Table 1, and what the theorems allow. */
interface Bounds {
  readonly error: number;
  readonly positions: number;
  readonly ap: number;
  readonly ndcg: number;
}

export const qin2010Approximation = defineExperiment<Config, Outcome>({
  name: 'qin-2010-approximation',
  title: 'smooth positions and measures against exact ones, while training',
  paper:
    'Qin, Liu, Li 2010, A general approximation framework for direct optimization of information retrieval measures, Table 1, Figures 1 to 3',
  collections: ['ohsumed'],
  config,
  async run(settings, lab) {
    const { folds } = await readLetor(lab.data('ohsumed'));
    const data = normalise(folds[0]!.train, normalisations[settings.normalise]);
    const figures = settings.figures.map(({ objective, values, ...figure }) => ({
      ...figure,
      measure: approximationOf(parseObjective(objective)).measure.spec,
      runs: variedSpecs(objective, figure.parameter, values).map((spec, i) => ({
        value: values[i]!,
        objective: parseObjective(spec).spec,
      })),
    }));
    // Figures have runs in common.
    const objectives = [...new Set(figures.flatMap(({ runs }) => runs.map(({ objective }) => objective)))];
    lab.expect(objectives.length);
    const followed = await lab.each(objectives, spec => lab.step(spec, () => follow(spec, data, settings, lab)));
    const found = new Map<string, Followed>(objectives.map((spec, i) => [spec, followed[i]!]));
    const positions = examplePositions();
    return {
      positions,
      bounds: bounds(positions),
      figures: figures.map(figure => ({
        ...figure,
        runs: figure.runs.map(run => ({ ...run, ...found.get(run.objective)! })),
      })),
    };
  },
  findings: outcome => [...exampleFindings(outcome), ...outcome.figures.flatMap(figureFindings)],
  sections: ({ positions, bounds, figures }) => [exampleSection(positions, bounds), ...figures.map(figureSection)],
});

async function follow(spec: string, data: Dataset, { options }: Config, { seed, signal }: Lab): Promise<Followed> {
  const { featureNames } = data;
  const { iterations } = await approximationAlongTraining({
    data,
    model: 'linear',
    objective: parseObjective(spec),
    options,
    seed,
    signal,
    from: new LinearModel({ featureNames, weights: new Float64Array(featureNames.length) }),
    // One query to an update: a second thread would have nothing to do.
    threads: 1,
  });
  const { exact, smooth } = iterations.at(-1)!;
  return { exact, smooth, errors: iterations.map(({ error }) => error) };
}

function examplePositions(): Outcome['positions'] {
  const ranking = new SigmoidRanking({
    alpha: ALPHA,
    beta: BETA,
    cutBeta: BETA,
    sigmoid: sigmoids.logistic,
    beyond: 0,
  });
  ranking.rank({ n: SCORES.length, scores: Float64Array.from(SCORES) });
  return SCORES.map((score, x) => ({
    score,
    rank: 1 + SCORES.filter(other => other > score).length,
    position: ranking.position(x),
  }));
}

/** Corollary 4, Theorem 5 with one relevant document, Theorem 6. */
function bounds(positions: Outcome['positions']): Bounds {
  const error = Math.max(...positions.map(({ position, rank }) => Math.abs(position - rank)));
  const sorted = [...SCORES].sort((a, b) => a - b);
  const gap = Math.min(...sorted.slice(1).map((score, i) => score - sorted[i]!));
  return {
    error,
    positions: (SCORES.length - 1) / (Math.exp(gap * ALPHA) + 1),
    ap: 1 / (1 - error) / (1 + Math.exp(BETA * (1 - 2 * error))) + (2 * error) / (1 - error),
    ndcg: error / (2 * Math.LN2),
  };
}

function exampleFindings({ positions, bounds: ours }: Outcome): Finding[] {
  const rounded = positions.map(({ position }) => position.toFixed(5));
  return [
    {
      claim: 'Table 1: positions of five documents at alpha 100',
      paper: PRINTED.map(position => position.toFixed(5)).join(', '),
      ours: rounded.join(', '),
      drawn: {
        y: 'position',
        curves: positions.map(({ position }, x) => ({
          name: `document ${x + 1}`,
          at: [0],
          paper: [PRINTED[x]!],
          ours: [position],
        })),
      },
      ...byValues(PRINTED.every((position, x) => position.toFixed(5) === rounded[x])),
    },
    {
      claim: 'Table 1: bounds of the error of positions, AP and NDCG',
      paper: `0.00118 < ${PRINTED_BOUNDS.positions}; ${PRINTED_BOUNDS.ap}; ${PRINTED_BOUNDS.ndcg}`,
      ours: `${ours.error.toFixed(5)} < ${ours.positions.toFixed(5)}; ${ours.ap.toFixed(4)}; ${ours.ndcg.toFixed(5)}`,
      drawn: {
        y: 'bound of the error',
        curves: (['positions', 'ap', 'ndcg'] as const).map(of => ({
          name: { positions: 'positions', ap: 'AP', ndcg: 'NDCG' }[of],
          at: [0],
          paper: [PRINTED_BOUNDS[of]],
          ours: [ours[of]],
        })),
      },
      ...byValues(
        ours.positions.toFixed(5) === PRINTED_BOUNDS.positions.toFixed(5) &&
          ours.ap.toFixed(4) === PRINTED_BOUNDS.ap.toFixed(4) &&
          ours.ndcg.toFixed(5) === PRINTED_BOUNDS.ndcg.toFixed(5),
      ),
    },
  ];
}

const lastError = ({ errors }: Run) => errors.at(-1)!;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/**
 * Of one training each, so that there is no test of the steps between them: where the error falls from the first to the
 * last and not at every step, the steps may be chance.
 */
function falling(errors: readonly number[]): Evidence {
  if (errors.every((error, i) => i === 0 || error < errors[i - 1]!)) return byValues(true);
  return errors.at(-1)! < errors[0]! ? undecided('several folds: one training a value has no test') : byValues(false);
}

function figureFindings({ name, measure, parameter, accuracy, runs }: Figure): Finding[] {
  const last = runs.map(lastError);
  const found: Finding[] = [
    {
      claim: `${name}: a larger ${parameter} brings ${measure} closer to its smooth version`,
      paper: `the error falls as ${parameter} rises`,
      ours: runs.map((run, i) => `${last[i]!.toFixed(4)} at ${run.value}`).join(', '),
      drawn: {
        y: 'error after the last epoch',
        x: { label: parameter },
        curves: [{ at: runs.map(({ value }) => Number(value)), ours: last }],
      },
      ...falling(last),
    },
  ];
  if (accuracy === undefined) return found;
  const [lowest, highest] = [1 - Math.max(...last), 1 - last.at(-1)!];
  const ever = 1 - Math.max(...runs.flatMap(({ errors }) => errors));
  found.push({
    claim: `${name}: accuracy of the smooth ${measure}`,
    paper: `over ${100 * accuracy[0]} % for every ${parameter}, over ${100 * accuracy[1]} % at ${runs.at(-1)!.value}`,
    ours: `after the last epoch ${percent(lowest)} at worst, ${percent(highest)} at ${runs.at(-1)!.value}; of all epochs ${percent(ever)} at worst`,
    drawn: {
      y: 'accuracy (paper: over)',
      style: 'percent',
      curves: [
        { name: `${measure}, at worst`, at: [0], paper: [accuracy[0]], ours: [lowest] },
        {
          name: `${measure}, ${parameter} ${runs.at(-1)!.value}`,
          at: [0],
          paper: [accuracy[1]],
          ours: [highest],
        },
      ],
    },
    ...byValues(lowest > accuracy[0] && highest > accuracy[1]),
  });
  return found;
}

function exampleSection(positions: Outcome['positions'], { error, positions: bound, ap, ndcg }: Bounds): Section {
  return {
    title: 'Table 1: smooth positions',
    lead: 'Five documents of one query, alpha 100. The bounds are Corollary 4, Theorem 5 (beta 100, one relevant document) and Theorem 6.',
    blocks: [
      {
        kind: 'table',
        title: 'Positions',
        columns: [
          ...columns(undefined, 'document', 'score'),
          column('rank', 'count'),
          ...columns(undefined, 'paper', 'here'),
        ],
        rows: positions.map(({ score, rank, position }, x) => [
          `x${x + 1}`,
          score.toFixed(5),
          rank,
          PRINTED[x]!.toFixed(5),
          position.toFixed(5),
        ]),
      },
      {
        kind: 'table',
        title: 'Bounds of the error',
        columns: [{ title: 'of' }, { title: 'paper' }, { title: 'here' }],
        rows: [
          ['positions', PRINTED_BOUNDS.positions.toFixed(5), `${bound.toFixed(5)} (found ${error.toFixed(5)})`],
          ['AP', PRINTED_BOUNDS.ap.toFixed(4), ap.toFixed(4)],
          ['NDCG', PRINTED_BOUNDS.ndcg.toFixed(5), ndcg.toFixed(5)],
        ],
      },
    ],
  };
}

function figureSection({ name, measure, parameter, runs }: Figure): Section {
  const title = `${name}: ${measure} against ${parameter}`;
  return {
    title,
    lead: 'The error is the mean over the training queries of |smooth − exact|.',
    blocks: [
      {
        kind: 'lines',
        title: `Error of the smooth ${measure} while training`,
        x: { label: 'epoch', style: 'count' },
        y: { label: 'error', style: 'value' },
        series: runs.map(({ value, errors }) => ({
          name: `${parameter} ${value}`,
          x: errors.map((_, epoch) => epoch + 1),
          y: errors,
        })),
      },
      {
        kind: 'table',
        title,
        columns: [
          { title: parameter },
          ...columns('value', 'error, first epoch', 'largest', 'last epoch', 'exact', 'smooth'),
        ],
        rows: runs.map(run => [
          run.value,
          run.errors[0]!,
          Math.max(...run.errors),
          lastError(run),
          run.exact,
          run.smooth,
        ]),
      },
    ],
  };
}
