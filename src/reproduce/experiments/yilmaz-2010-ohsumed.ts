/** OHSUMED, few features: does it matter there which measure is trained for? */
import { z } from 'zod';
import { letorFolds, normalisations, normalise, readDataset } from '../../data/index.js';
import { againstDrawn, type Contest, type Contested, contestConfig, holdContests, testsOf } from '../contest.js';
import { contestTable } from '../contest-table.js';
import { signedPoints } from '../cut-table.js';
import { alike } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import type { Parts } from '../generated.js';

/** An informative measure and the measure of the top of the list that is tested. */
const pairs = [
  { informative: { name: 'AP', measure: 'ap' }, top: { name: 'P@10', measure: 'p@10' } },
  { informative: { name: 'NDCG', measure: 'ndcg' }, top: { name: 'NDCG@10', measure: 'ndcg@10' } },
] as const;

const contest: Contest = {
  entrants: pairs
    .flatMap(({ informative, top }) => [informative, top])
    .map(({ name, measure }) => ({ name, select: measure, objective: `lambdarank(${measure})` })),
  tests: pairs.map(({ top }) => ({ measure: top.measure, base: top.name })),
};

const config = contestConfig.omit({ data: true, dataSets: true }).extend({
  folds: z.int(),
  normalise: z.enum(Object.keys(normalisations) as (keyof typeof normalisations)[]),
});
type Config = z.output<typeof config>;

export const yilmaz2010Ohsumed = defineExperiment<Config, { contests: readonly Contested[] }>({
  name: 'yilmaz-2010-ohsumed',
  title: 'OHSUMED: training for a more informative measure where features are few',
  paper: 'Yilmaz, Robertson 2010, On the choice of effectiveness measures for learning to rank, section 5.1, OHSUMED',
  collections: ['ohsumed'],
  config,
  async run({ folds, normalise: rule, ...settings }, lab) {
    const given = await readFolds(lab.data('ohsumed'), rule, folds);
    const [contests] = await holdContests(
      [{ label: '', contest, config: { ...settings, dataSets: folds }, given }],
      lab,
    );
    return { contests: contests! };
  },
  findings: ({ contests }) => pairs.map((_, p) => finding(contests, p)),
  sections: ({ contests }) => [
    {
      title: 'OHSUMED',
      lead: 'Over the test queries of all folds. Difference: from training for the measure tested.',
      blocks: [contestTable('OHSUMED', contests, undefined, 'all')],
    },
  ],
});

async function readFolds(directory: string, rule: Config['normalise'], most: number): Promise<Parts[]> {
  const files = await Promise.all([1, 2, 3, 4, 5].map(part => readDataset(`${directory}/S${part}.txt.gz`)));
  // The statistics are of a query's own documents, so nothing passes from one part to another.
  const folds = letorFolds(files.map(part => normalise(part, normalisations[rule]))).slice(0, most);
  return folds.map(({ train, validate, test }): Parts => {
    const parts = { training: train, validation: validate!, test: test! };
    return part => parts[part];
  });
}

function finding(contests: readonly Contested[], p: number): Finding {
  const { informative, top } = pairs[p]!;
  const found = contests[p]!.results.find(({ name }) => name === informative.name)!.against!;
  const {
    difference,
    interval: [low, high],
    better,
    dataSets,
  } = found;
  return {
    claim: `OHSUMED, tested on ${top.name}: training for ${informative.name} is as good as training for ${top.name}`,
    paper: 'no significant difference',
    ours: `${signedPoints(difference)} points (${signedPoints(low)} to ${signedPoints(high)}), better on ${better} of ${dataSets.length} folds`,
    drawn: againstDrawn(`on ${top.name}: for ${informative.name} less for ${top.name}`, found),
    ...alike({}, ...testsOf(found, 'all', 'folds')),
  };
}
