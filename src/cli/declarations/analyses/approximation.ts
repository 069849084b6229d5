import { quote } from '../../../errors.js';
import { optional, required } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { invalid, keysOf, parsed, splitPair } from '../../command/option.js';
import { dataOptions } from '../../options/data.js';
import { loadOption } from '../../options/evaluation.js';
import { analysedTraining, objectivesOption, validateOption } from '../../options/training.js';
import { analysisOptions, running } from './running.js';

export const DEFAULT_OBJECTIVE = 'approx(ndcg)';

const args = {
  model: optional('a model file: the error at its scores; without one a model is trained'),
  data: required('labelled data'),
};

const { seed, ...trainingOptions } = analysedTraining;

/** What does not go with a model that is there already. */
const onlyWhenTraining = { ...trainingOptions, ...validateOption('DATA itself') };

const options = {
  ...objectivesOption(DEFAULT_OBJECTIVE),
  vary: parsed(
    'key=values',
    'a parameter of the objective and its values, separated by commas, as in alpha=10,50,100',
    varied,
  ),
  ...onlyWhenTraining,
  seed,
  ...loadOption,
  ...analysisOptions,
  ...dataOptions,
};

function varied(written: string, flag: string): { key: string; values: readonly string[] } {
  const [key, values] = splitPair(written);
  if (key !== '' && values !== undefined) return { key, values: values.split(',') };
  throw invalid(`${flag} takes KEY=VALUE,VALUE,…, found ${quote(written)}`);
}

export type ApproximationLine = CommandLine<typeof args, typeof options>;

export const approximation = defineCommand({
  arguments: args,
  options,
  excludes: [
    {
      when: line => line.args.model !== undefined,
      not: keysOf(onlyWhenTraining),
      why: 'a model: it is trained already',
    },
  ],
  examples: [
    "listwise analyse approximation train.txt --model linear --objective 'approx(ap,beta=10)' --vary alpha=10,50,100",
    "listwise analyse approximation model.json test.txt --objective 'softrank(ndcg@10)' --vary sigma=0.1,1",
  ],
  run: running(async () => (await import('../../analyses/approximation.js')).approximation),
});
