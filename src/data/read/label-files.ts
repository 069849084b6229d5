/** Label files that the user names, one value a row of the input, read beside rows that come whole or in batches. */
import { ListwiseError, quote } from '../../errors.js';
import { fileInput } from '../../io/inputs.js';
import { type Dataset, sharedFloat64 } from '../dataset.js';
import type { ReadOptions } from '../readers/reader.js';
import { labelProblem } from './row-values.js';
import { sideValues } from './side-values.js';

interface LabelFile {
  readonly name: string;
  readonly file: string;
  readonly values: AsyncGenerator<Float64Array>;
  /** Values that were read and are of later rows. */
  waiting: Float64Array;
}

export class LabelFiles {
  readonly #files: readonly LabelFile[];

  private constructor(files: readonly LabelFile[]) {
    this.#files = files;
  }

  static async open({ labelFiles = [] }: ReadOptions): Promise<LabelFiles> {
    const files: LabelFile[] = [];
    for (const { name, file } of labelFiles) {
      if (name === '')
        throw new ListwiseError('option-invalid', `the label source of ${file} has no name; write NAME=FILE`);
      const kind = { what: `label ${quote(name)}`, problem: labelProblem(false) };
      const values = sideValues([await fileInput(file)], kind);
      files.push({ name, file, values, waiting: new Float64Array(0) });
    }
    return new LabelFiles(files);
  }

  /** The rows from input row `first` on with their labels; none may be left after the last of them. */
  async label(data: Dataset, first: number, last: boolean): Promise<Dataset> {
    if (this.#files.length === 0) return data;
    const labels = new Map(data.labels);
    for (const file of this.#files) {
      const { name } = file;
      if (labels.has(name)) {
        const detail = `the data already has a label source ${quote(name)}; choose another name`;
        throw new ListwiseError('option-invalid', detail, { file: file.file });
      }
      const values = await take(file, data.rows);
      const more = last ? await countRest(file) : 0;
      if (values.length < data.rows || more > 0) {
        const documents = `${last ? '' : 'more than '}${first + (last ? data.rows : values.length)}`;
        throw new ListwiseError(
          'row-count',
          `${first + values.length + more} labels ${quote(name)} for ${documents} documents; there must be one a document`,
          { file: file.file },
        );
      }
      const inOrder = sharedFloat64(data.rows);
      for (let row = 0; row < data.rows; row++) inOrder[row] = values[(data.inputRows?.[row] ?? row) - first]!;
      labels.set(name, inOrder);
    }
    return data.with({ labels });
  }

  async close(): Promise<void> {
    for (const { values } of this.#files) await values.return(undefined);
  }
}

/** The next values, fewer than asked for at the end of the file. */
async function take(file: LabelFile, count: number): Promise<Float64Array> {
  const out = new Float64Array(count);
  let taken = 0;
  while (taken < count) {
    if (file.waiting.length === 0) {
      const { done, value } = await file.values.next();
      if (done) break;
      file.waiting = value;
    }
    const some = file.waiting.subarray(0, count - taken);
    out.set(some, taken);
    taken += some.length;
    file.waiting = file.waiting.subarray(some.length);
  }
  return out.subarray(0, taken);
}

async function countRest(file: LabelFile): Promise<number> {
  let count = file.waiting.length;
  for await (const values of file.values) count += values.length;
  return count;
}
