/** Is the optimum of an informative measure also one of a measure of the top ten, on training and on test data? */
import { z } from 'zod';
import { tTest } from '../../analysis/significance/index.js';
import type { Dataset } from '../../data/dataset.js';
import { mean } from '../../numeric/vectors.js';
import { column, columns } from '../../report/columns.js';
import type { Section } from '../../report/document.js';
import { count } from '../../report/words.js';
import {
  type Altered,
  alter,
  alterationConfig,
  learn,
  learnedConfig,
  type RiseCount,
  riseCells,
  riseColumns,
  type StepKind,
  stepKinds,
  stepTitles,
} from '../altered.js';
import { sharesDrawn, testedDrawn } from '../drawn.js';
import { together as allOf, byValues, above as isAbove, type Tested, testedOver } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { generatedConfig, generatedPart } from '../generated.js';
import type { Lab } from '../lab.js';

const splits = ['training', 'test'] as const;
type Split = (typeof splits)[number];

const config = z.strictObject({
  data: generatedConfig,
  /** Each of another seed. */
  dataSets: z.int(),
  learned: learnedConfig,
  /** An informative measure and one of the top of the list that it is to stand in for. */
  pairs: z.array(z.strictObject({ informative: z.string(), top: z.string() })),
  steps: z.array(z.enum(stepKinds)),
  alterations: alterationConfig,
});
type Config = z.output<typeof config>;

interface Case {
  readonly seed: number;
  readonly trained: string;
  /** The measure of the top of the list that is tested. */
  readonly tested: string;
  readonly kind: StepKind;
  readonly splits: Readonly<Record<Split, Altered>>;
}

interface Outcome {
  readonly pairs: Config['pairs'];
  readonly threshold: number;
  readonly cases: readonly Case[];
}

export const yilmaz2010Table5 = defineExperiment<Config, Outcome>({
  name: 'yilmaz-2010-table-5',
  title: 'whether the optimum of one measure is also an optimum of another',
  paper: 'Yilmaz, Robertson 2010, On the choice of effectiveness measures for learning to rank, Table 5',
  collections: [],
  config,
  async run(settings, lab) {
    lab.expect(2 * settings.pairs.length * settings.dataSets);
    const cases: Case[] = [];
    for (const { informative, top } of settings.pairs) {
      for (const trained of [informative, top]) {
        const found = await lab.each(lab.seeds(settings.dataSets), seed => {
          const key = `${trained} for ${top}, data ${seed}`;
          return lab.step(key, () => trainAndAlter(settings, trained, top, seed, lab));
        });
        cases.push(...found.flat());
      }
    }
    return { pairs: settings.pairs, threshold: settings.alterations.threshold, cases };
  },
  findings: outcome => comparisons(outcome).flatMap(comparison => comparisonFindings(comparison, outcome.threshold)),
  sections: outcome => [risesSection(outcome), valuesSection(outcome)],
});

/** As in the paper, the optimal weights are those of the training data: rate and epoch are chosen there. */
async function trainAndAlter(
  { data, learned, steps, alterations }: Config,
  trained: string,
  tested: string,
  seed: number,
  lab: Lab,
): Promise<Case[]> {
  const training = generatedPart(data, 'training', seed);
  const test = generatedPart(data, 'test', seed);
  const { model } = await learn(learned, trained, training, seed, lab);
  const cases: Case[] = [];
  for (const kind of steps) {
    const altered = async (part: Dataset) => (await alter(model, part, [tested], kind, alterations, lab))[0]!;
    const found = { training: await altered(training), test: await altered(test) };
    cases.push({ seed, trained, tested, kind, splits: found });
  }
  return cases;
}

/** Weights trained for the informative measure (wide) against those trained for the top (narrow), a data set each. */
interface Comparison {
  readonly pair: Config['pairs'][number];
  readonly kind: StepKind;
  readonly wide: readonly Case[];
  readonly narrow: readonly Case[];
}

function comparisons({ pairs, cases }: Outcome): Comparison[] {
  const kinds = stepKinds.filter(kind => cases.some(one => one.kind === kind));
  return kinds.flatMap(kind =>
    pairs.map(pair => {
      const of = (trained: string) =>
        cases.filter(one => one.trained === trained && one.tested === pair.top && one.kind === kind);
      return { pair, kind, wide: of(pair.informative), narrow: of(pair.top) };
    }),
  );
}

function comparisonFindings(
  { pair: { informative, top }, kind, wide, narrow }: Comparison,
  threshold: number,
): Finding[] {
  const both = (split: Split, which: Count) => [total(wide, split, which), total(narrow, split, which)] as const;
  const shown = ([first, second]: readonly [number, number]) =>
    `${count(first)} of ${count(total(wide, 'test', 'alterations'))} trained for ${informative}, ${count(second)} trained for ${top}`;
  const above = both('training', 'above');
  const improved = both('training', 'improved');
  const test = { improved: both('test', 'improved'), above: both('test', 'above') };
  const over = (split: Split, which: Count) =>
    testedOver(
      'data sets',
      wide.map((one, d) => rises(one, split, which) - rises(narrow[d]!, split, which)),
    );
  const riseDrawn = (what: string, tested: Tested) =>
    testedDrawn(
      `${top}, ${what}: for ${informative} less for ${top}`,
      tested,
      `rises on a data set, difference, ${stepTitles[kind]}`,
      'difference',
    );
  const reversed = (tested: Tested) => ({ ...tested, difference: -tested.difference });
  return [
    {
      claim: `${top}, training data, ${stepTitles[kind]}: no alteration raises it by more than ${threshold}, trained for ${informative} or ${top}`,
      paper: 'none of 4,600',
      ours: shown(above),
      ...byValues(Math.max(...above) === 0),
      drawn: sharesDrawn(
        [informative, top].map((trained, i) => ({
          name: `${top}, trained for ${trained}`,
          share: above[i]! / total(wide, 'training', 'alterations'),
        })),
        `share of alterations above ${threshold}, training data, ${stepTitles[kind]}`,
      ),
    },
    {
      claim: `${top}, training data, ${stepTitles[kind]}: more alterations raise it at all when trained for ${informative} than for ${top}`,
      paper: 'more',
      ours: shown(improved),
      ...isAbove(over('training', 'improved')),
      ...riseDrawn('training data, at all', over('training', 'improved')),
    },
    {
      claim: `${top}, test data, ${stepTitles[kind]}: fewer alterations raise it when trained for ${informative} than for ${top}`,
      paper: 'always fewer, at all and by more than the threshold',
      ours: `at all: ${shown(test.improved)}; by more than ${threshold}: ${shown(test.above)}`,
      ...allOf([isAbove(reversed(over('test', 'improved'))), isAbove(reversed(over('test', 'above')))]),
      ...riseDrawn('test data, at all', over('test', 'improved')),
    },
  ];
}

type Count = 'improved' | 'above' | 'alterations';

function rises({ splits: of }: Case, split: Split, which: Count): number {
  return of[split].random[which];
}

function total(cases: readonly Case[], split: Split, which: Count): number {
  return cases.reduce((sum, one) => sum + rises(one, split, which), 0);
}

/** Of the paired t-test over data sets. */
function pairedP(wide: readonly Case[], narrow: readonly Case[], of: (one: Case) => number): number {
  return tTest(Float64Array.from(wide, (one, d) => of(one) - of(narrow[d]!))).p;
}

function risesSection(outcome: Outcome): Section {
  const { threshold } = outcome;
  return {
    title: 'Alterations that raise the measure',
    lead: 'Weights are learned and chosen on the training data for one measure, altered, and evaluated by another. Values and lengths are means over data sets; alterations are added up. Steps are of 0.1 to 1.0, as such (one) or times the length of the weights.',
    blocks: [
      {
        kind: 'table',
        title: 'Alterations that raise the measure, all data sets together',
        columns: [
          ...columns(undefined, 'trained for', 'tested', 'on', 'steps times'),
          ...riseColumns('alterations', threshold),
        ],
        rows: comparisons(outcome).flatMap(({ pair: { informative, top }, kind, wide, narrow }) =>
          splits.flatMap(split => [
            [informative, top, split, kind, ...riseCells('alterations', together(wide, split))],
            [top, top, split, kind, ...riseCells('alterations', together(narrow, split))],
          ]),
        ),
      },
    ],
  };
}

function together(cases: readonly Case[], split: Split): Pick<Altered, 'value' | 'length' | 'random'> {
  const all = cases.map(one => one.splits[split]);
  const sum = (of: (random: RiseCount) => number) => all.reduce((before, { random }) => before + of(random), 0);
  return {
    value: mean(all.map(({ value }) => value)),
    length: mean(all.map(({ length }) => length)),
    random: {
      directions: sum(({ directions }) => directions),
      alterations: sum(({ alterations }) => alterations),
      directionsImproved: sum(({ directionsImproved }) => directionsImproved),
      directionsAbove: sum(({ directionsAbove }) => directionsAbove),
      improved: sum(({ improved }) => improved),
      above: sum(({ above }) => above),
      gain: Math.max(...all.map(({ random }) => random.gain)),
    },
  };
}

/**
 * Why rises on test data go one way or the other: where the weights are better to begin with, there is less to gain.
 */
function valuesSection(outcome: Outcome): Section {
  const value = (one: Case) => one.splits.test.value;
  return {
    title: 'Values on test data, and rises',
    lead: 'Which weights have the higher value on test data before they are altered, and whether they have the fewer rises. Differences are of the informative measure less the top one.',
    blocks: [
      {
        kind: 'table',
        title: 'Test data: value without alteration, and rises',
        columns: [
          ...columns(undefined, 'trained for', 'or for, tested', 'steps times'),
          column('difference of values', 'difference'),
          column('p', 'p'),
          ...columns('count', 'data sets', 'fewer rises for the informative', 'fewer rises for the higher value'),
        ],
        rows: comparisons(outcome).map(({ pair: { informative, top }, kind, wide, narrow }) => {
          const differences = wide.map((one, d) => ({
            value: value(one) - value(narrow[d]!),
            rises: rises(one, 'test', 'improved') - rises(narrow[d]!, 'test', 'improved'),
          }));
          const fewer = differences.filter(difference => difference.rises < 0).length;
          const opposed = differences.filter(difference => difference.value * difference.rises < 0).length;
          const difference = mean(differences.map(one => one.value));
          return [informative, top, kind, difference, pairedP(wide, narrow, value), wide.length, fewer, opposed];
        }),
      },
    ],
  };
}
