/**
 * What a reproduction of a paper's result is: one record a file in `experiments/`, one line in `experiments/all.ts`,
 * and a folder of the same name in the project's `experiments/` with its config (sizes at every scale), README and kept
 * results.
 */
import type { ZodType } from 'zod';
import type { Section } from '../report/document.js';
import type { Drawn } from './drawn.js';
import type { Evidence } from './evidence.js';
import type { Lab } from './lab.js';

/** tiny: seconds. small: minutes on two cores. paper: the paper's own sizes. */
export const scales = ['tiny', 'small', 'paper'] as const;
export type Scale = (typeof scales)[number];

/** One claim of the paper, beside what was found here and what decides whether it holds. */
export type Finding = Evidence & {
  readonly claim: string;
  /** The paper's values or words. */
  readonly paper: string;
  readonly ours: string;
  /** What there is to draw of it. */
  readonly drawn?: Drawn;
};

export interface Experiment<Config = unknown, Outcome = unknown> {
  /** Author, year and what is reproduced: the name of its folder too. */
  readonly name: string;
  readonly title: string;
  readonly paper: string;
  /** Collections that it reads (see `Lab.data`); none where its data is generated. */
  readonly collections: readonly string[];
  readonly config: ZodType<Config>;
  /** Plain data: it is kept as JSON. The same config and seed give the same outcome. */
  run(config: Config, lab: Lab): Promise<Outcome>;
  /**
   * The outcome without times, where it has any: as much as the same config and seed give again. Its findings are then
   * of the machine too.
   */
  withoutTimes?(outcome: Outcome): unknown;
  findings(outcome: Outcome): readonly Finding[];
  /** Tables and pictures; the tables stand in the README too. */
  sections(outcome: Outcome): readonly Section[];
}

/** Checks the types of an experiment and forgets them, so that experiments can stand in one list. */
export function defineExperiment<Config, Outcome>(experiment: Experiment<Config, Outcome>): Experiment {
  const { withoutTimes, ...rest } = experiment;
  return {
    ...rest,
    ...(withoutTimes === undefined ? {} : { withoutTimes: outcome => withoutTimes(outcome as Outcome) }),
    run: (config, lab) => experiment.run(experiment.config.parse(config), lab),
    findings: outcome => experiment.findings(outcome as Outcome),
    sections: outcome => experiment.sections(outcome as Outcome),
  };
}
