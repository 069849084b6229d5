/** Writes ranking data: the one door from a data set to files, which appear whole and together or not at all. */
import { didYouMean, ListwiseError, quote } from '../../errors.js';
import { writeTogether } from '../../io/whole-file.js';
import { Dataset } from '../dataset.js';
import { writers } from './all.js';
import { refuseStaleSideFiles } from './side-files.js';
import type { WriteOptions, Writer } from './writer.js';

/**
 * Writes data sets, each to its file; gives the names of all files, side files included. Data that comes in parts is
 * written one part after the other; the parts have the same features and label sources, and each query is in one.
 */
export async function writeDatasets(
  outputs: readonly { readonly data: Dataset | Iterable<Dataset>; readonly target: string }[],
  options: WriteOptions = {},
): Promise<string[]> {
  const chosen = outputs.map(({ target }) => chooseWriter(target, options));
  return writeTogether(async files => {
    for (const [i, { data, target }] of outputs.entries()) {
      await chosen[i]!.write(data instanceof Dataset ? [data] : data, target, files, options);
      await refuseStaleSideFiles(target, files);
    }
    return files.targets;
  });
}

export function chooseWriter(target: string, options: WriteOptions = {}): Writer {
  const names = writers.map(writer => writer.name);
  const extension = /\.([A-Za-z0-9]+)$/.exec(target.replace(/\.gz$/, ''))?.[1]?.toLowerCase();
  const writer =
    options.format === undefined
      ? writers.find(candidate => extension !== undefined && candidate.extensions.includes(extension))
      : writers.find(candidate => candidate.name === options.format);
  if (writer === undefined && options.format !== undefined) {
    throw new ListwiseError(
      'data-format',
      `there is no format ${quote(options.format)} to write${didYouMean(options.format, names)} Formats: ${names.join(', ')}`,
    );
  }
  if (writer === undefined) {
    throw new ListwiseError(
      'data-format',
      `the format cannot be inferred from the name ${quote(target)}; name one with \`to\`: ${names.join(', ')}`,
    );
  }
  if (!writer.gzip && target.endsWith('.gz')) {
    throw new ListwiseError('data-format', `${writer.name} is compressed within; leave the .gz off ${quote(target)}`);
  }
  return writer;
}
