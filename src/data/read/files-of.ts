/** The files that a name of data stands for: where one of them changes, the data has changed. */

import { resolveData } from './resolve-data.js';
import { findSideFiles } from './side-files.js';

/** The name itself, what it or its description names, and what lies beside that. */
export async function filesOf(data: string): Promise<string[]> {
  const { inputs, options } = await resolveData(data, {});
  const beside = Object.values(await findSideFiles(inputs, options)).flat();
  const paths = [...inputs, ...beside].flatMap(({ path }) => path ?? []);
  return [...new Set([data, ...paths, ...[options.description?.judgments ?? []].flat()])];
}
