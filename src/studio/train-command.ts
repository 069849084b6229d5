/** A training of the studio as the command line that makes the same model. */

import type { TrainingRequest } from './answers.js';
import { commandLine } from './command-line.js';

export function trainCommand(request: TrainingRequest, fileOf: (data: string) => string, out?: string): string {
  const { data, validate, model, objective, select, seed, set } = request;
  const given = (flag: string, value: string | number | undefined) =>
    value === undefined ? [] : [flag, String(value)];
  return commandLine(
    'train',
    fileOf(data),
    ...given('--validate', validate && fileOf(validate)),
    '--model',
    model,
    ...given('--objective', objective),
    ...given('--select', select),
    ...given('--seed', seed),
    ...set.flatMap(setting => ['--set', setting]),
    ...given('--out', out),
  );
}
