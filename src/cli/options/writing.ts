/** The options that say how data is written. */
import { writers } from '../../data/writers/all.js';
import { type AlsoWrites, choice, flag, text } from '../command/option.js';

export const writingOptions = {
  to: choice(
    writers.map(writer => writer.name),
    'format',
    "format to write (default: from the output's name)",
  ),
  split: text('shares', 'split by query, such as 0.6,0.2,0.2: OUT gets .train, .validate, .test'),
  splitBy: text('column', 'split by the values of a column: times and numbers in their order, others in groups'),
  sparse: flag('leave out zeros, in SVMlight'),
};

/** The parts of a split, and what may be written beside the data. */
export const partsAndSides: AlsoWrites = async (out, given) => {
  if (out === undefined) return [];
  const { parseShares, partName } = await import('../../data/writers/convert.js');
  const { sideFilesOf } = await import('../../io/inputs.js');
  const [split] = given.get('split')?.slice(-1) ?? [];
  const parts = split === undefined ? [out] : parseShares(split).map((_, p, { length }) => partName(out, p, length));
  const labels = (given.get('labels') ?? []).map(source => source.slice(0, Math.max(0, source.indexOf('='))));
  return parts.flatMap(part => [part, ...sideFilesOf(part), ...labels.map(name => `${part}.${name}`)]);
};
