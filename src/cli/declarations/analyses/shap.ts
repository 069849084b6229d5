import { required } from '../../command/argument.js';
import { type CommandLine, defineCommand } from '../../command/command.js';
import { flag, list, whole } from '../../command/option.js';
import { backgroundOptions } from '../../options/background.js';
import { dataOptions } from '../../options/data.js';
import { allOption } from '../../options/rows.js';
import { analysisOptions, running } from './running.js';

const args = { model: required('a model file: trees or linear'), data: required('documents to explain') };

const options = {
  documents: whole('documents of DATA that are explained, by chance', { least: 1, default: 1000 }),
  interactions: flag('look at pairs of features too: what they add together'),
  feature: list('name', 'a feature whose dependence the page draws (default: the first ones); repeatable'),
  ...backgroundOptions,
  ...allOption,
  ...analysisOptions,
  ...dataOptions,
};

export type ShapLine = CommandLine<typeof args, typeof options>;

export const shap = defineCommand({
  arguments: args,
  options,
  examples: [
    'listwise analyse shap model.json test.txt --report shap.html',
    'listwise analyse shap model.json test.txt --interactions --documents 200',
    'listwise analyse shap lightgbm.txt test.txt --background train.txt',
  ],
  run: running(async () => (await import('../../analyses/shap.js')).shap),
});
