import { DEFAULT_THRESHOLD, defaultSteps } from '../../../analysis/optimality/local-optimality.js';
import { required, rest } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { flag, number, numbers, whole } from '../../command/option.js';
import { dataOptions } from '../../options/data.js';
import { measuresOr } from '../../options/evaluation.js';
import { analysisOptions, running } from './running.js';

const args = {
  model: required('a model file; several make a table'),
  data: required('labelled data; several make a table'),
  more: rest('further models and data, in any order'),
};

const options = {
  ...measuresOr('ndcg@10'),
  epsilon: number('share', 'share of improving directions that must not be missed', {
    above: 0,
    below: 1,
    default: 0.01,
  }),
  delta: number('p', 'probability of missing it; both set the number of directions', {
    above: 0,
    below: 1,
    default: 0.01,
  }),
  directions: whole('random directions to try (default: 459, from epsilon and delta)', { least: 1 }),
  steps: numbers('lengths of the alterations', { above: 0, default: defaultSteps }),
  threshold: number('rise', 'rises above this are distinguished', { least: 0, default: DEFAULT_THRESHOLD }),
  countEqual: flag('an equal value counts as a rise, as in Donmez et al. 2009'),
  relative: flag('steps are shares of the length of the vector of parameters'),
  weights: whole('alter so many parameters one at a time too, both ways', { least: 0, default: 0 }),
  curves: whole('directions whose curves are shown', { least: 0, default: 4 }),
  exact: flag(
    'for models that are linear in their parameters: every step along each parameter and direction, none sampled',
  ),
  control: flag('test each model with random parameters too, which must fail'),
  ...analysisOptions,
  ...dataOptions,
};

export type OptimalityLine = CommandLine<typeof args, typeof options>;

export const optimality = defineCommand({
  arguments: args,
  options,
  examples: [
    'listwise analyse optimality model.json train.txt -m ndcg@10',
    'listwise analyse optimality linear.json train.txt -m ap --exact',
    'listwise analyse optimality ap.json p10.json train.txt test.txt -m ap,p@10 --report optimality.html',
  ],
  run: running(async () => (await import('../../analyses/optimality.js')).optimality),
});
