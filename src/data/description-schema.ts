/** The schema of data descriptions, of which docs/data.schema.json is made, and how their files are read. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { ListwiseError } from '../errors.js';
import { parseJsonText } from '../io/json-text.js';
import { unreadable } from '../io/unreadable.js';
import { columnKinds, type DataDescription, DESCRIPTION_FORMAT, startsAsDescription } from './description.js';
import { normalisations } from './normalise.js';

const column = z.string().min(1);
const normalisationNames = Object.keys(normalisations) as (keyof typeof normalisations)[];

export const dataDescription = z
  .strictObject({
    schema: z.literal(DESCRIPTION_FORMAT).describe('What this file is.'),
    data: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .optional()
      .describe('The data: a file, a directory or a glob, or several of them; relative to this file.'),
    format: z.string().optional().describe('Format of the data, where its name does not tell it.'),
    roles: z
      .strictObject({
        query: column.optional().describe('Column of query ids.'),
        document: column.optional().describe('Column of document ids.'),
        labels: z.record(z.string(), column).optional().describe('Columns of labels, by the name of the label source.'),
        weight: column.optional().describe('Column of document weights.'),
        position: column.optional().describe('Column of positions at which documents were shown.'),
        initialScore: column.optional().describe('Column of scores that training starts from.'),
      })
      .default({})
      .describe('Columns of a table that are no features.'),
    kinds: z
      .record(column, z.enum(columnKinds))
      .default({})
      .describe('What the other columns are; a column that is not listed is a number.'),
    missing: z
      .array(z.string())
      .default([])
      .describe('Words for missing values, beside the usual ones (empty, na, n/a, nan, null, none, -).'),
    categories: z
      .record(column, z.array(z.string()))
      .default({})
      .describe('Levels of each category; the place of a level, from 0, is its value as a feature.'),
    names: z
      .array(column)
      .optional()
      .describe('Names of the features of numbered files (SVMlight), in the order of their numbers.'),
    normalise: z.enum(normalisationNames).optional().describe('How features are normalised within each query.'),
    union: z
      .boolean()
      .optional()
      .describe(
        'Whether files may have different columns; what one lacks is missing there. Otherwise that is an error.',
      ),
    judgments: z.string().optional().describe('A file of judgments to join to the data; relative to this file.'),
  })
  .describe('How files are read as ranking data.') satisfies z.ZodType<DataDescription>;

/** The JSON schema of a data description. */
export function descriptionSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(dataDescription, { io: 'input' }), title: 'data description of listwise' };
}

/** A description's own size is small; what is larger is data. */
const LARGEST = 1 << 26;

/**
 * The description that a file holds; undefined where it is something else. Names of files in it become those of the
 * caller.
 */
export async function descriptionIn(file: string): Promise<DataDescription | undefined> {
  if (!/\.json$/i.test(file)) return undefined;
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size > LARGEST) return undefined;
  const text = await readFile(file, 'utf8').catch(() => '');
  return startsAsDescription(text) ? parseDescription(text, file) : undefined;
}

/** The description in a file that must be one. */
export async function readDescription(file: string): Promise<DataDescription> {
  const text = await readFile(file, 'utf8').catch(error => {
    throw unreadable(file, error, 'no such data description');
  });
  return parseDescription(text, file);
}

function parseDescription(text: string, file: string): DataDescription {
  const json = parseJsonText(text, 'a data description', 'option-invalid', file);
  const { success, data, error } = dataDescription.safeParse(json);
  if (!success) {
    const { path, message } = error.issues[0]!;
    const where = path.length > 0 ? `"${path.join('.')}": ` : '';
    throw new ListwiseError('option-invalid', `not a data description (${DESCRIPTION_FORMAT}): ${where}${message}`, {
      file,
    });
  }
  const beside = (name: string) => (isAbsolute(name) ? name : join(dirname(file), name));
  return {
    ...data,
    ...(data.data !== undefined && { data: [data.data].flat().map(beside) }),
    ...(data.judgments !== undefined && { judgments: beside(data.judgments) }),
  };
}
