/** Config files: a training protocol as JSON, checked by a schema. What the command line says overrides it. */
import { z } from 'zod';
import { atPlace, ListwiseError, quote } from '../errors.js';
import { isObject } from '../io/is-object.js';
import { parseJsonText } from '../io/json-text.js';
import { trainerOf, trainers } from './all.js';
import { checkOptions } from './options.js';

const shared = {
  $schema: z.string().optional().describe('Where the schema of this file is, for editors.'),
  title: z.string().optional().describe('What this protocol is.'),
  objective: z.string().optional().describe('The objective to train for.'),
  select: z.string().optional().describe('The measures that select the best iteration.'),
  measure: z.string().optional().describe('Other measures to log.'),
  holdout: z.number().min(0).lt(1).optional().describe('Share of the training queries to hold out.'),
  seed: z.int().min(0).optional().describe('Seed of everything random.'),
};

/**
 * What a config file of `listwise train` says.
 *
 * @example
 * import type { TrainConfig } from 'listwise/training';
 *
 * const config: TrainConfig = { model: 'trees', objective: 'lambdarank(ndcg@10)', options: { trees: 300 } };
 */
export interface TrainConfig extends Omit<z.output<z.ZodObject<typeof shared>>, '$schema'> {
  readonly model: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/**
 * The JSON schema of config files, for editors.
 *
 * @example
 * import { configSchema } from 'listwise/training';
 *
 * console.log(JSON.stringify(configSchema()));
 */
export function configSchema(): Record<string, unknown> {
  return schemaByModel('config of listwise train', shared);
}

/** The JSON schema of files that name a kind of model and options of its trainer, beside what all have. */
export function schemaByModel(title: string, shape: z.ZodRawShape): Record<string, unknown> {
  const anyOf = Object.values(trainers).map(({ name, options }) => {
    const kind = z.strictObject({ model: z.literal(name), ...shape, options: options.optional() });
    const { $schema: _, ...schema } = z.toJSONSchema(kind, { io: 'input' });
    return schema;
  });
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, anyOf };
}

const KEYS = ['model', ...Object.keys(shared), 'options'];

/**
 * The config of a file's text, checked.
 *
 * @example
 * import { readFile } from 'node:fs/promises';
 * import { parseConfig, trainNamed } from 'listwise/training';
 *
 * const config = parseConfig(await readFile('train.json', 'utf8'), 'train.json');
 * await trainNamed({ ...config, data });
 */
export function parseConfig(text: string, file: string): TrainConfig {
  const fail = (what: string): never => {
    throw new ListwiseError('option-invalid', what, { file });
  };
  const json = parseJsonText(text, 'a config', 'option-invalid', file);
  if (!isObject(json)) return fail('a config is a JSON object, as in {"model": "net", "options": {"hidden": [10]}}');
  for (const key of Object.keys(json)) {
    if (!KEYS.includes(key)) fail(`a config has no key ${quote(key)}. Keys: ${KEYS.join(', ')}`);
  }
  const { model, options, ...rest } = json;
  if (typeof model !== 'string') return fail(`"model" is one of ${Object.keys(trainers).join(', ')}`);
  const checked = z.strictObject(shared).safeParse(rest);
  if (!checked.success) {
    const issue = checked.error.issues[0]!;
    return fail(`"${issue.path.join('.')}": ${issue.message}`);
  }
  if (options !== undefined && !isObject(options)) return fail('"options" is an object');
  atPlace({ file }, () => checkOptions(trainerOf(model), options ?? {}));
  const { $schema: _, ...said } = checked.data;
  return { model, ...said, ...(options && { options }) };
}
