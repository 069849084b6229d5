/** Is the optimum of an informative measure also one of a measure of the top ten, on training and on test data? */
import { z } from 'zod';
import { tTest } from '../../analysis/significance/index.js';
import type { Section } from '../../report/page.js';
import { count } from '../../report/words.js';
import { type Altered, alter, alterationConfig } from '../altered.js';
import { bestOnValidation, type Trial } from '../best-on-validation.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { generatedConfig, generatedPart } from '../generated.js';
import type { Lab } from '../lab.js';

const splits = ['training', 'test'] as const;
type Split = (typeof splits)[number];

/** Of the t-test over data sets that decides whether one training has more rises than the other. */
const ALPHA = 0.05;

const config = z.strictObject({
  data: generatedConfig,
  /** Each of another seed. */
  dataSets: z.int(),
  model: z.string(),
  rates: z.array(z.number()),
  options: z.record(z.string(), z.unknown()),
  /** An informative measure and one of the top of the list that it is to stand in for. */
  pairs: z.array(z.strictObject({ informative: z.string(), top: z.string() })),
  alterations: alterationConfig,
});
type Config = z.output<typeof config>;

interface Case {
  readonly seed: number;
  readonly trained: string;
  /** The measure of the top of the list that is tested. */
  readonly tested: string;
  readonly chosen: Trial;
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
        for (let i = 0; i < settings.dataSets; i++) {
          const seed = lab.seed + i;
          const key = `${trained} for ${top}, data ${seed}`;
          cases.push(await lab.step(key, () => trainAndAlter(settings, trained, top, seed, lab)));
        }
      }
    }
    return { pairs: settings.pairs, threshold: settings.alterations.threshold, cases };
  },
  findings: outcome => outcome.pairs.flatMap(pair => pairFindings(pair, outcome)),
  sections: outcome => [section(outcome)],
});

/** As in the paper, the optimal weights are those of the training data: rate and epoch are chosen there. */
async function trainAndAlter(
  { data, model, rates, options, alterations }: Config,
  trained: string,
  tested: string,
  seed: number,
  lab: Lab,
): Promise<Case> {
  const [training, test] = splits.map(split => generatedPart(data, split, seed));
  const found = await bestOnValidation(
    { objectives: [`lambdarank(${trained})`], rates },
    {
      ...{ data: training!, holdout: 0, model, select: trained, options },
      ...{ seed, threads: lab.threads, signal: lab.signal },
    },
  );
  const altered = async (part: typeof training) => (await alter(found.model, part!, [tested], alterations, lab))[0]!;
  return {
    ...{ seed, trained, tested, chosen: found.chosen },
    splits: { training: await altered(training), test: await altered(test) },
  };
}

function pairFindings({ informative, top }: Config['pairs'][number], { cases, threshold }: Outcome): Finding[] {
  const of = (trained: string) => cases.filter(one => one.trained === trained && one.tested === top);
  const [wide, narrow] = [of(informative), of(top)];
  const both = (split: Split, which: Count) => [total(wide, split, which), total(narrow, split, which)] as const;
  const told = ([first, second]: readonly [number, number]) =>
    `${count(first)} of ${count(total(wide, 'test', 'alterations'))} trained for ${informative}, ${count(second)} trained for ${top}`;
  const above = both('training', 'above');
  const improved = both('training', 'improved');
  const test = { improved: both('test', 'improved'), above: both('test', 'above') };
  const p = (split: Split) =>
    tTest(Float64Array.from(wide, (one, d) => rises(one, split, 'improved') - rises(narrow[d]!, split, 'improved'))).p;
  return [
    {
      claim: `${top}, training data: no alteration raises it by more than ${threshold}, trained for ${informative} or ${top}`,
      paper: 'none of 4,600',
      ours: told(above),
      p: Number.NaN,
      holds: Math.max(...above) === 0,
    },
    {
      claim: `${top}, training data: more alterations raise it at all when trained for ${informative} than for ${top}`,
      paper: 'more',
      ours: told(improved),
      p: p('training'),
      holds: improved[0] > improved[1] && p('training') < ALPHA,
    },
    {
      claim: `${top}, test data: fewer alterations raise it when trained for ${informative} than for ${top}`,
      paper: 'always fewer, at all and by more than the threshold',
      ours: `at all: ${told(test.improved)}; by more than ${threshold}: ${told(test.above)}`,
      p: p('test'),
      holds: test.improved[0] < test.improved[1] && test.above[0] <= test.above[1] && p('test') < ALPHA,
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

function section({ cases, threshold }: Outcome): Section {
  return {
    title: 'Alterations that raise the measure',
    lead: 'Weights are learned and chosen on the training data for one measure, altered, and judged by another.',
    blocks: [
      {
        kind: 'table',
        title: 'Alterations that raise the measure',
        columns: [
          { title: 'data set', style: 'count' },
          { title: 'trained for' },
          { title: 'tested' },
          { title: 'on' },
          { title: 'value', style: 'value' },
          { title: 'alterations', style: 'count' },
          { title: 'raise it', style: 'count' },
          { title: `above ${threshold}`, style: 'count' },
          { title: 'most', style: 'difference' },
        ],
        rows: cases.flatMap(({ seed, trained, tested, splits: found }) =>
          splits.map(split => {
            const { value, random } = found[split];
            const { alterations, improved, above, gain } = random;
            return [seed, trained, tested, split, value, alterations, improved, above, gain];
          }),
        ),
      },
    ],
  };
}
