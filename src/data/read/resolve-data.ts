/** What a name of data stands for: inputs, or a description that names them and says how they are read. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ListwiseError } from '../../errors.js';
import { type Input, resolveInputs } from '../../io/inputs.js';
import { DIRECTORY_DESCRIPTION, mergeDescriptions } from '../description.js';
import type { ReadOptions } from '../readers/reader.js';

export interface ResolvedData {
  readonly inputs: readonly Input[];
  readonly options: ReadOptions;
}

export async function resolveData(data: string, options: ReadOptions): Promise<ResolvedData> {
  const file = await describedIn(data);
  // The schema is loaded where it may be needed only: most data is no JSON.
  const own = /\.json$/i.test(file) ? await (await import('../description-schema.js')).descriptionIn(file) : undefined;
  const description = mergeDescriptions(own, options.description);
  const described = {
    ...options,
    description,
    ownRoles: own?.roles,
    format: options.format ?? description?.format,
    normalise: options.normalise ?? description?.normalise,
  };
  const { normalise: asked, note } = options;
  if (asked !== undefined && description?.normalise !== undefined && asked !== description.normalise) {
    note?.(`features are normalised as asked (${asked}), though the description says ${description.normalise}`);
  }
  if (own === undefined || (own.data === undefined && file !== data))
    return { inputs: await resolveInputs(data), options: described };
  if (own.data === undefined) {
    const detail = 'the description names no data: add "data", or give it as the `description` of other data';
    throw new ListwiseError('option-invalid', detail, { file: data });
  }
  const inputs: Input[] = [];
  for (const name of [own.data].flat()) inputs.push(...(await resolveInputs(name)));
  return { inputs, options: described };
}

/** The file that may describe the data: its own, or that of a directory. */
async function describedIn(data: string): Promise<string> {
  const inside = join(data, DIRECTORY_DESCRIPTION);
  const found = await stat(inside).catch(() => undefined);
  return found?.isFile() ? inside : data;
}
