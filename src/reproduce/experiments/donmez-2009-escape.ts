/** What makes weights a local optimum, and whether training leaves the optima of early epochs. */
import { z } from 'zod';
import { type Escape, escapeConfig, escapeFindings, escapeSection, runEscapes } from '../escape.js';
import { defineExperiment } from '../experiment.js';
import { runStages, type Staged, stagesConfig, stagesFindings, stagesSection } from '../stages.js';

const config = z.strictObject({
  /** A rise above this counts. */
  threshold: z.number(),
  stages: stagesConfig,
  early: escapeConfig,
});
type Config = z.output<typeof config>;

interface Outcome {
  readonly config: Config;
  readonly stages: readonly (readonly Staged[])[];
  readonly escapes: readonly (readonly Escape[])[];
}

export const donmez2009Escape = defineExperiment<Config, Outcome>({
  name: 'donmez-2009-escape',
  title: 'what makes weights a local optimum, and how training leaves early ones',
  paper: 'Donmez, Svore, Burges 2009, On the local optimality of LambdaRank, sections 7.1 and 8',
  collections: [],
  config,
  async run(settings, lab) {
    const { threshold, stages, early } = settings;
    lab.expect(stages.dataSets + early.dataSets);
    return {
      config: settings,
      stages: await runStages(stages, threshold, lab),
      escapes: await runEscapes(early, lab),
    };
  },
  findings: ({ config: { threshold, stages: asked, early }, stages, escapes }) => [
    ...stagesFindings(stages, asked, threshold),
    ...escapeFindings(escapes, early.measure),
  ],
  sections: ({ config: { stages: asked, early }, stages, escapes }) => [
    stagesSection(stages, asked),
    escapeSection(escapes, early.measure),
  ],
});
