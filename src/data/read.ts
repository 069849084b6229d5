/** Reads ranking data from wherever it is: the one door from files to a data set. */
import { ListwiseError, nearest, quote } from '../errors.js';
import type { Dataset } from './dataset.js';
import { type Input, resolveInputs } from './inputs.js';
import type { Reader, ReadOptions } from './reader.js';
import { readers } from './readers/all.js';

/** `data` is a file, a directory, a glob or `-`. */
export async function readDataset(data: string, options: ReadOptions = {}): Promise<Dataset> {
  const inputs = await resolveInputs(data);
  const reader = chooseReader(inputs, options);
  return reader.read(inputs, options);
}

function chooseReader(inputs: readonly Input[], options: ReadOptions): Reader {
  const names = readers.map(reader => reader.name);
  if (options.format !== undefined) {
    const named = readers.find(reader => reader.name === options.format);
    if (named !== undefined) return named;
    const near = nearest(options.format, names);
    throw new ListwiseError(
      'data-format',
      `there is no format ${quote(options.format)}${near ? `; did you mean ${quote(near)}?` : ''} Formats: ${names.join(', ')}`,
    );
  }
  const known = new Set(inputs.map(input => readers.find(reader => reader.extensions.includes(extension(input.name)))));
  const [first] = known;
  if (known.size > 1) {
    throw new ListwiseError(
      'data-format',
      `the inputs have different formats (${inputs.map(input => input.name).join(', ')}); name one with --format`,
    );
  }
  // A name that tells nothing is taken as the field's own format; what is not SVMlight fails on its first line.
  return first ?? readers[0]!;
}

function extension(name: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(name.replace(/\.gz$/, ''))?.[1]?.toLowerCase() ?? '';
}
