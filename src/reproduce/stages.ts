/**
 * What makes weights an optimum: full batches, more epochs, or more epochs to pick the best from? One training in
 * batches of a few queries, looked at half-way and at its end, and one that goes on from half-way in full batches for
 * as many epochs; of each the weights of the last epoch and of the best one.
 */
import { z } from 'zod';
import type { Ranker } from '../models/ranker.js';
import { mean } from '../numeric/vectors.js';
import { column, columns } from '../report/columns.js';
import type { Section } from '../report/document.js';
import { written } from '../report/numbers.js';
import { trainNamed } from '../training/train.js';
import { type AlterationConfig, type Altered, alter, alterExactly, type ExactLines, layersOf } from './altered.js';
import { sharesDrawn } from './drawn.js';
import { byValues, testedOver } from './evidence.js';
import type { Finding } from './experiment.js';
import { generatedConfig, generatedPart } from './generated.js';
import type { Lab } from './lab.js';

export const stagesConfig = z.strictObject({
  data: generatedConfig,
  dataSets: z.int(),
  model: z.string(),
  measure: z.string(),
  /** Of the first half; the whole has twice as many. */
  epochs: z.int(),
  options: z.record(z.string(), z.unknown()),
  /** In the place of the others, for full batches. */
  second: z.record(z.string(), z.unknown()),
  directions: z.int(),
  /** Lines that are looked at exactly, beside every weight by itself; for one layer alone. */
  exactDirections: z.int().optional(),
});
export type StagesConfig = z.output<typeof stagesConfig>;

const trainings = ['half', 'all', 'full'] as const;
type Training = (typeof trainings)[number];
const picks = ['last', 'best'] as const;
type Pick = (typeof picks)[number];
const titles: Readonly<Record<Training, string>> = {
  half: 'few queries a batch',
  all: 'the same, twice the epochs',
  full: 'then full batches, as many epochs more',
};

/** One data set. */
export interface Staged {
  readonly training: Training;
  readonly pick: Pick;
  readonly value: number;
  /** Directions that raise the measure, at all and above the threshold. */
  readonly improved: number;
  readonly above: number;
  /** Of one layer. */
  readonly exact?: ExactLines | undefined;
}

/** By data set. */
export function runStages(config: StagesConfig, threshold: number, lab: Lab): Promise<Staged[][]> {
  return lab.each(lab.seeds(config.dataSets), seed =>
    lab.step(`stages, data ${seed}`, () => staged(config, threshold, seed, lab)),
  );
}

async function staged(
  { data: shape, model, measure, epochs, options, second, directions, exactDirections }: StagesConfig,
  threshold: number,
  seed: number,
  lab: Lab,
): Promise<Staged[]> {
  const { threads, signal } = lab;
  const data = generatedPart(shape, 'training', seed);
  const rankers = new Map<string, Ranker>();
  const settings = {
    data,
    holdout: 0,
    model,
    select: measure,
    objective: `lambdarank(${measure})`,
    seed,
    threads,
    signal,
  };
  const follow = async (more: object, from: Ranker | undefined, name: (epoch: number) => Training) => {
    let best = Number.NEGATIVE_INFINITY;
    await trainNamed({
      ...settings,
      from,
      options: { ...options, patience: 0, ...more },
      onIteration: ({ iteration, validation }, _, ranker) => {
        const of = name(iteration);
        rankers.set(`${of} last`, ranker!());
        if (validation[0]! > best) {
          best = validation[0]!;
          rankers.set(`${of} best`, ranker!());
        }
        // The best of the whole may be one of the first half.
        if (of === 'half' && iteration === epochs) rankers.set('all best', rankers.get('half best')!);
      },
    });
  };
  await follow({ epochs: 2 * epochs }, undefined, epoch => (epoch <= epochs ? 'half' : 'all'));
  rankers.set('full best', rankers.get('half best')!);
  await follow({ epochs, ...second }, rankers.get('half best'), () => 'full');
  const rows: Staged[] = [];
  const alterations: AlterationConfig = { directions, threshold, singles: 0 };
  for (const training of trainings) {
    for (const pick of picks) {
      const ranker = rankers.get(`${training} ${pick}`)!;
      const [altered] = (await alter(ranker, data, [measure], 'weights', alterations, lab)) as [Altered];
      const { directionsImproved: improved, directionsAbove: above } = altered.random;
      const exact =
        exactDirections === undefined
          ? undefined
          : await alterExactly(ranker, data, measure, { directions: exactDirections, threshold }, lab);
      rows.push({ training, pick, value: altered.value, improved, above, exact });
    }
  }
  return rows;
}

const at = (rows: readonly Staged[], training: Training, pick: Pick) =>
  rows.find(row => row.training === training && row.pick === pick)!;

/** Of the weights picked after full batches: that hardly any direction raises the measure, sampled and exactly. */
export function stagesFindings(
  found: readonly (readonly Staged[])[],
  { model, directions }: StagesConfig,
  threshold: number,
): Finding[] {
  const ends = found.map(rows => at(rows, 'full', 'best'));
  const none = ends.filter(({ above }) => above === 0).length;
  const sampled: Finding = {
    claim: `${layersOf(model)}, after full batches: no random direction raises the measure by more than ${threshold}`,
    paper: 'none of 459',
    ours: `none of ${directions} on ${none} of ${ends.length} data sets`,
    ...byValues(none === ends.length),
    drawn: sharesDrawn(
      ends.map(({ above }, d) => ({ name: `data set ${d + 1}`, share: above / directions })),
      `share of directions above ${threshold}`,
    ),
  };
  return [
    sampled,
    ...exactFindings(
      ends.flatMap(({ exact }) => exact ?? []),
      threshold,
    ),
  ];
}

/** By data set; of none where there are none. */
function exactFindings(ends: readonly ExactLines[], threshold: number): Finding[] {
  if (ends.length === 0) return [];
  const none = ends.filter(({ above }) => above === 0).length;
  const most = Math.max(...ends.map(({ gain }) => gain));
  return [
    {
      claim: `the same exactly: no step of any length along a weight or a direction raises it by more than ${threshold}`,
      paper: 'not tested',
      ours: `none of ${ends[0]!.lines} lines on ${none} of ${ends.length} data sets; at most ${written(most, 'difference')}`,
      ...byValues(none === ends.length),
      drawn: {
        y: 'largest rise along a line',
        style: 'difference',
        reference: threshold,
        curves: ends.map(({ gain }, d) => ({ name: `data set ${d + 1}`, at: [0], ours: [gain] })),
      },
    },
  ];
}

/** What each respect changes, all else equal. */
const effects: readonly { name: string; from: [Training, Pick]; to: [Training, Pick] }[] = [
  { name: 'twice the epochs (last epoch)', from: ['half', 'last'], to: ['all', 'last'] },
  { name: 'full batches in the second half (last epoch)', from: ['all', 'last'], to: ['full', 'last'] },
  { name: 'picking the best of the epochs', from: ['half', 'last'], to: ['half', 'best'] },
  { name: 'picking it from twice as many', from: ['half', 'best'], to: ['all', 'best'] },
  { name: 'full batches, the best picked', from: ['all', 'best'], to: ['full', 'best'] },
];

interface Shown {
  readonly title: string;
  readonly style: 'value' | 'difference' | 'general';
  of(row: Staged): number;
  /** Of the data sets the largest, where it is not the mean. */
  readonly largest?: boolean;
}

const sampled: readonly Shown[] = [
  { title: 'value', style: 'value', of: row => row.value },
  { title: 'raise it', style: 'general', of: row => row.improved },
  { title: 'above the threshold', style: 'general', of: row => row.above },
];
const exactly: readonly Shown[] = [
  { title: 'exactly, above it', style: 'general', of: row => row.exact!.above },
  { title: 'exactly, most', style: 'difference', of: row => row.exact!.gain, largest: true },
  { title: 'exactly, mean', style: 'difference', of: row => row.exact!.meanGain },
];
const changes: readonly Shown[] = [
  { title: 'value', style: 'difference', of: row => row.value },
  { title: 'directions that raise it', style: 'general', of: row => row.improved },
];
const exactChange: Shown = { title: 'gain of a line, exactly', style: 'difference', of: row => row.exact!.meanGain };

export function stagesSection(
  found: readonly (readonly Staged[])[],
  { measure, directions, exactDirections }: StagesConfig,
): Section {
  const exact = exactDirections !== undefined;
  const shown = exact ? [...sampled, ...exactly] : sampled;
  const changed = exact ? [...changes, exactChange] : changes;
  const leads = [
    `Directions, of ${directions}, that raise ${measure}; steps of 0.1 to 1.0 times the length of the weights; means over ${found.length} data sets.`,
    ...(exact
      ? [
          `Exactly: steps of any length, along each of the weights and ${exactDirections} directions; the better an optimum, the less a line gains at its best step.`,
        ]
      : []),
    'Changes have their p-values over the data sets beside them.',
  ];
  return {
    title: 'Full batches, more epochs, more epochs to pick from',
    lead: leads.join(' '),
    blocks: [
      {
        kind: 'table',
        title: 'Directions that raise the measure, by training and epoch',
        columns: [...columns(undefined, 'training', 'epoch'), ...shown.map(({ title, style }) => column(title, style))],
        rows: trainings.flatMap(training =>
          picks.map(pick => [
            titles[training],
            pick,
            ...shown.map(({ of, largest }) => {
              const values = found.map(rows => of(at(rows, training, pick)));
              return largest ? Math.max(...values) : mean(values);
            }),
          ]),
        ),
      },
      {
        kind: 'table',
        title: 'What each changes',
        columns: [column('what'), ...changed.flatMap(({ title, style }) => [column(title, style), column('p', 'p')])],
        rows: effects.map(({ name, from, to }) => [
          name,
          ...changed.flatMap(({ of }) => {
            const test = testedOver(
              'data sets',
              found.map(rows => of(at(rows, ...to)) - of(at(rows, ...from))),
            );
            return [test.difference, test.p];
          }),
        ]),
      },
    ],
  };
}
