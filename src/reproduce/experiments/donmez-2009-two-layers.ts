/** What makes weights of two layers a local optimum, with as many queries as the paper has. */
import { z } from 'zod';
import { defineExperiment } from '../experiment.js';
import { runStages, type Staged, stagesConfig, stagesFindings, stagesSection } from '../stages.js';

const config = z.strictObject({
  /** A rise above this counts. */
  threshold: z.number(),
  stages: stagesConfig,
});
type Config = z.output<typeof config>;

interface Outcome {
  readonly config: Config;
  readonly stages: readonly (readonly Staged[])[];
}

export const donmez2009TwoLayers = defineExperiment<Config, Outcome>({
  name: 'donmez-2009-two-layers',
  title: 'what makes weights of two layers a local optimum',
  paper: 'Donmez, Svore, Burges 2009, On the local optimality of LambdaRank, section 7.1',
  collections: [],
  config,
  async run(settings, lab) {
    const { threshold, stages } = settings;
    lab.expect(stages.dataSets);
    return { config: settings, stages: await runStages(stages, threshold, lab) };
  },
  findings: ({ config: { threshold, stages: asked }, stages }) => stagesFindings(stages, asked, threshold),
  sections: ({ config: { stages: asked }, stages }) => [stagesSection(stages, asked)],
});
