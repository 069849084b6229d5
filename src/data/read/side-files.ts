/**
 * Files beside the data: LightGBM's and XGBoost's `train.txt.query` or `.group`, `.weight`, `.init` and `.position`,
 * found by their names; group and label files that the user names. All go row by row in the order of the input.
 */
import { access } from 'node:fs/promises';
import { ListwiseError } from '../../errors.js';
import { fileInput, type Input } from '../../io/inputs.js';
import { type Dataset, sharedFloat64 } from '../dataset.js';
import type { ReadOptions } from '../readers/reader.js';
import { LabelFiles } from './label-files.js';
import { tell } from './read-notes.js';
import { positionProblem, scoreProblem, weightProblem } from './row-values.js';
import { readSideValues } from './side-values.js';

/** Extensions that are put behind the name of the data file. */
const EXTENSIONS = {
  groups: ['query', 'group'],
  weights: ['weight'],
  initialScores: ['init'],
  positions: ['position'],
};

/** One file for each input, or none. */
export interface SideFiles {
  readonly groups: readonly Input[];
  readonly weights: readonly Input[];
  readonly initialScores: readonly Input[];
  readonly positions: readonly Input[];
}

export async function findSideFiles(inputs: readonly Input[], options: ReadOptions): Promise<SideFiles> {
  return {
    groups: options.group === undefined ? await beside(inputs, EXTENSIONS.groups) : [await fileInput(options.group)],
    weights: await beside(inputs, EXTENSIONS.weights),
    initialScores: await beside(inputs, EXTENSIONS.initialScores),
    positions: await beside(inputs, EXTENSIONS.positions),
  };
}

async function beside(inputs: readonly Input[], extensions: readonly string[]): Promise<Input[]> {
  const found: Input[] = [];
  for (const { path } of inputs) {
    if (path === undefined) continue;
    const bases = path.endsWith('.gz') ? [path, path.slice(0, -3)] : [path];
    const names = bases.flatMap(base => extensions.flatMap(end => [`${base}.${end}`, `${base}.${end}.gz`]));
    const there = await Promise.all(names.map(exists));
    const files = names.filter((_, i) => there[i]);
    if (files.length > 1) {
      throw new ListwiseError('option-invalid', `both ${files.join(' and ')} belong to ${path}; keep one of them`);
    }
    if (files.length === 1) found.push(await fileInput(files[0]!));
  }
  if (found.length === 0 || found.length === inputs.length) return found;
  throw new ListwiseError(
    'row-count',
    `only ${found.length} of ${inputs.length} data files have a .${extensions.join(' or .')} file beside them (${found[0]!.name}); all or none must`,
  );
}

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The data set with everything that its side files add, the groups excepted, which are needed earlier. */
export async function withSideFiles(data: Dataset, files: SideFiles, options: ReadOptions): Promise<Dataset> {
  let result = data;
  if (files.weights.length > 0) {
    const values = await readSideValues(files.weights, { what: 'weight', problem: weightProblem });
    const perRow = values.length === data.rows;
    if (!perRow && values.length !== data.queries) {
      throw new ListwiseError(
        'row-count',
        `${values.length} weights for ${data.rows} documents in ${data.queries} queries; there must be one a document or one a query`,
        { file: files.weights[0]!.name },
      );
    }
    if (perRow) refuseSecond(data.rowWeights, 'document weights', files.weights);
    result = result.with(perRow ? { rowWeights: inRowOrder(values, data) } : { queryWeights: shared(values) });
    tell(options, { weights: { files: names(files.weights), each: perRow ? 'document' : 'query' } });
  }
  for (const [key, what, problem] of [
    ['initialScores', 'initial score', scoreProblem],
    ['positions', 'position', positionProblem],
  ] as const) {
    if (files[key].length === 0) continue;
    refuseSecond(data[key], `${what}s`, files[key]);
    const values = await readSideValues(files[key], { what, problem });
    result = result.with({ [key]: oneARow(values, data, files[key], `${what}s`) });
    tell(options, { [key]: names(files[key]) });
  }
  return (await LabelFiles.open(options)).label(result, 0, true);
}

function refuseSecond(there: Float64Array | undefined, what: string, files: readonly Input[]): void {
  if (there === undefined) return;
  throw new ListwiseError('option-invalid', `the data has ${what} of its own; take this file or that column away`, {
    file: files[0]!.name,
  });
}

function oneARow(values: Float64Array, data: Dataset, files: readonly Input[], what: string): Float64Array {
  if (values.length === data.rows) return inRowOrder(values, data);
  throw new ListwiseError(
    'row-count',
    `${values.length} ${what} for ${data.rows} documents; there must be one a document`,
    { file: files[0]!.name },
  );
}

/** Values in input order brought into the order of the rows, in memory that threads can share. */
function inRowOrder(values: Float64Array, data: Dataset): Float64Array {
  const { inputRows } = data;
  if (inputRows === undefined) return shared(values);
  const out = sharedFloat64(values.length);
  for (let row = 0; row < out.length; row++) out[row] = values[inputRows[row]!]!;
  return out;
}

function shared(values: Float64Array): Float64Array {
  const out = sharedFloat64(values.length);
  out.set(values);
  return out;
}

function names(files: readonly Input[]): string[] {
  return files.map(file => file.name);
}
