/** Files that a writer puts beside the data, named as `side-files.ts` of the readers finds them. */
import { ListwiseError, quote } from '../../errors.js';
import { SIDE_EXTENSIONS } from '../../io/inputs.js';
import type { FileSet } from '../../io/whole-file.js';
import type { Dataset } from '../dataset.js';
import { PRIMARY_LABEL } from '../primary-label.js';
import { exists } from '../read/side-files.js';

/** One number a line: the shortest decimal that reads back to the same 64-bit number, `nan` where there is none. */
export async function writeColumn(files: FileSet, target: string, values: Float64Array): Promise<void> {
  await files.text(target, async sink => {
    for (let from = 0; from < values.length; from += 8192) {
      const lines: string[] = [];
      for (const value of values.subarray(from, from + 8192)) lines.push(numberText(value, 'nan'), '\n');
      await sink.write(lines.join(''));
    }
  });
}

export function numberText(value: number, missing: string): string {
  return Number.isNaN(value) ? missing : Object.is(value, -0) ? '-0' : String(value);
}

/** Label sources beyond the first, each to a file `TARGET.NAME`. */
export async function writeLabelFiles(data: Dataset, target: string, files: FileSet): Promise<string[]> {
  const written: string[] = [];
  for (const [name, values] of data.labels) {
    if (name === PRIMARY_LABEL) continue;
    const reserved = [...SIDE_EXTENSIONS, 'gz'].some(extension => extension === name);
    if (reserved || !/^[^/\\\0]+$/.test(name)) {
      throw new ListwiseError('file-unwritable', `label source ${quote(name)} cannot be the end of a file's name`);
    }
    await writeColumn(files, `${target}.${name}`, values);
    written.push(`\`labelFiles: ${name}=${target}.${name}\``);
  }
  return written;
}

/** A side file of an earlier output would be read with the new one: it must not be there. */
export async function refuseStaleSideFiles(target: string, files: FileSet): Promise<void> {
  const begun = files.targets;
  for (const extension of SIDE_EXTENSIONS) {
    const bases = target.endsWith('.gz') ? [target, target.slice(0, -3)] : [target];
    for (const name of bases.flatMap(base => [`${base}.${extension}`, `${base}.${extension}.gz`])) {
      if (begun.includes(name) || !(await exists(name))) continue;
      throw new ListwiseError(
        'file-unwritable',
        `${name} is there from before and would be read as belonging to ${target}; take it away first`,
        { file: name },
      );
    }
  }
}
