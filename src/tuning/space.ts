/**
 * Search spaces: a JSON file that says what is fixed and what is searched over, checked by a schema that is also
 * exported as a JSON schema. A key of "search" is an option of the model, or "objective", or a name that the objective
 * holds in braces:
 *
 *     { "model": "linear", "objective": "approx(ndcg,alpha={alpha})",
 *       "search": { "alpha": { "choices": [10, 50, 100] }, "rate": { "from": 0.001, "to": 0.1, "scale": "log" } } }
 */
import { z } from 'zod';
import { atPlace, didYouMean, ListwiseError, quote } from '../errors.js';
import { parseJsonText } from '../io/json-text.js';
import { trainerOf } from '../training/all.js';
import { schemaByModel } from '../training/config.js';
import { checkOptions, optionProperties } from '../training/options.js';
import { DEFAULT_OBJECTIVE } from '../training/train.js';
import { type Dimension, dimensionFault, dimensionSchema, type Value, valueAt } from './dimension.js';
import type { Configuration } from './fold-job.js';

const shared = {
  $schema: z.string().optional().describe('Where the schema of this file is, for editors.'),
  title: z.string().optional().describe('What this space is.'),
  objective: z.string().optional().describe('The objective to train for; {NAME} stands for a key of "search".'),
  select: z.string().optional().describe('The measures that select iterations and trials.'),
  search: z
    .record(z.string(), dimensionSchema)
    .describe('What is searched over: options of the model, "objective", or names in braces in the objective.'),
};

/**
 * What is searched.
 *
 * @example
 * import type { SearchSpace } from 'listwise/tuning';
 *
 * const space: SearchSpace = {
 *   model: 'trees',
 *   search: { leaves: { from: 7, to: 63, scale: 'log', whole: true }, split: { choices: ['step', 'squares'] } },
 * };
 */
export interface SearchSpace {
  readonly model: string;
  readonly title?: string | undefined;
  readonly objective?: string | undefined;
  readonly select?: string | undefined;
  /** Options that stay as they are. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly search: Readonly<Record<string, Dimension>>;
}

/**
 * A value for each key of `search`; none at all stands for the defaults.
 *
 * @example
 * import { configurationOf, type Values } from 'listwise/tuning';
 *
 * const values: Values = { leaves: 31, rate: 0.05 };
 * const configuration = configurationOf(space, values);
 */
export type Values = Readonly<Record<string, Value>>;

/**
 * The JSON schema of search spaces, for editors.
 *
 * @example
 * import { spaceSchema } from 'listwise/tuning';
 *
 * console.log(JSON.stringify(spaceSchema()));
 */
export function spaceSchema(): Record<string, unknown> {
  return schemaByModel('search space of listwise tune', shared);
}

const KEYS = ['model', ...Object.keys(shared), 'options'];

/**
 * The space of a file’s text, checked.
 *
 * @example
 * import { readFile } from 'node:fs/promises';
 * import { parseSpace } from 'listwise/tuning';
 *
 * const space = parseSpace(await readFile('space.json', 'utf8'), 'space.json');
 */
export function parseSpace(text: string, file: string): SearchSpace {
  const fail = (what: string): never => {
    throw new ListwiseError('option-invalid', what, { file });
  };
  const json = parseJsonText(text, 'a search space', 'option-invalid', file);
  const has = (key: string) => typeof json === 'object' && json !== null && Object.hasOwn(json, key);
  if (!has('model') || !has('search')) {
    return fail(
      'a search space is a JSON object with "model" and "search", as in {"model": "trees", "search": {"rate": {"from": 0.01, "to": 0.3}}}',
    );
  }
  const parsed = z.strictObject({
    ...shared,
    model: z.string(),
    options: z.record(z.string(), z.unknown()).optional(),
  });
  const { success, data, error } = parsed.safeParse(json);
  if (!success) {
    const { path, message, code } = error.issues[0]!;
    const keys = code === 'unrecognized_keys' && path.length === 0 ? `. Keys: ${KEYS.join(', ')}` : '';
    return fail(`${path.length > 0 ? `"${path.join('.')}": ` : 'a search space: '}${message}${keys}`);
  }
  return atPlace({ file }, () => checkSpace(data));
}

/** Refuses keys that mean nothing and values that the options do not take, before anything is trained. */
export function checkSpace(space: SearchSpace): SearchSpace {
  const trainer = trainerOf(space.model);
  const options = space.options ?? {};
  checkOptions(trainer, options);
  const keys = Object.keys(space.search);
  if (keys.length === 0) throw new ListwiseError('option-invalid', '"search" names nothing to search over');
  const braces = bracesOf(space);
  const known = [...Object.keys(optionProperties(trainer)), ...braces, 'objective'];
  for (const [key, dimension] of Object.entries(space.search)) {
    const fault = dimensionFault(dimension);
    if (fault !== undefined) throw new ListwiseError('option-invalid', `search.${key}: ${fault}`);
    if (Object.hasOwn(options, key)) {
      throw new ListwiseError('option-invalid', `${quote(key)} is both fixed in "options" and searched over`);
    }
    if (!known.includes(key)) {
      throw new ListwiseError(
        'option-invalid',
        `${space.model} has no option ${quote(key)} and the objective has no {${key}}${didYouMean(key, known)} To search over: ${known.join(', ')}`,
      );
    }
    if (key === 'objective' || braces.includes(key)) continue;
    for (const value of probes(dimension)) {
      const hint =
        Number.isInteger(value) || 'choices' in dimension ? '' : '. A range of whole numbers says "whole": true';
      try {
        checkOptions(trainer, { ...options, [key]: value });
      } catch (error) {
        if (error instanceof ListwiseError)
          throw new ListwiseError(error.code, `search.${key}: ${error.detail}${hint}`);
        throw error;
      }
    }
  }
  const open = braces.find(name => !keys.includes(name));
  if (open !== undefined) {
    throw new ListwiseError('option-invalid', `the objective has {${open}}, which "search" does not name`);
  }
  return space;
}

/** Every choice, or both ends of a range and some values between, not all whole unless they have to be. */
export function probes(dimension: Dimension): Value[] {
  if ('choices' in dimension) return dimension.choices;
  return [dimension.from, dimension.to, ...[0.0618, 0.382, 0.7].map(place => valueAt(dimension, place))];
}

/** Names in braces in any objective of the space. */
function bracesOf({ objective, search }: SearchSpace): string[] {
  const own = search.objective;
  const objectives = [objective, ...(own === undefined ? [] : probes(own))].map(String);
  return [...new Set(objectives.flatMap(text => [...text.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)))];
}

/** Whether there is such a thing as the defaults: not where the objective itself is open. */
export function hasDefaults(space: SearchSpace): boolean {
  return !/\{\w+\}/.test(space.objective ?? '');
}

/** What the keys of `search` are where nothing is chosen. */
export function defaultValues(space: SearchSpace): Values {
  const trainer = trainerOf(space.model);
  const objective = space.objective ?? trainer.objective ?? DEFAULT_OBJECTIVE;
  const all: Record<string, unknown> = { objective, ...checkOptions(trainer, space.options ?? {}) };
  const own = Object.keys(space.search).flatMap(key => (Object.hasOwn(all, key) ? [[key, all[key]]] : []));
  return z.record(z.string(), z.json()).parse(Object.fromEntries(own));
}

/**
 * What to train with some values; `share` of the iterations that it would have at most.
 *
 * @example
 * import { trainNamed } from 'listwise/training';
 * import { configurationOf } from 'listwise/tuning';
 *
 * const best = configurationOf(space, { leaves: 31, rate: 0.05 });
 * await trainNamed({ ...best, data });
 */
export function configurationOf(space: SearchSpace, values: Values, share = 1): Configuration {
  const braces = bracesOf(space);
  const { objective: chosen, ...rest } = values;
  const options: Record<string, unknown> = { ...space.options };
  for (const [key, value] of Object.entries(rest)) if (!braces.includes(key)) options[key] = value;
  const template = chosen === undefined ? space.objective : String(chosen);
  const objective = template?.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  if (share < 1) {
    const key = iterationsOption(space);
    const most = Number(checkOptions(trainerOf(space.model), options)[key]);
    options[key] = Math.max(1, Math.round(most * share));
  }
  return { model: space.model, objective, select: space.select, options };
}

/** The option that says how many iterations there are. */
export function iterationsOption({ model }: SearchSpace): string {
  const { iterations } = trainerOf(model);
  if (iterations !== undefined) return iterations;
  throw new ListwiseError(
    'option-invalid',
    `${model} has no iterations to train a share of; search with another method`,
  );
}
