/**
 * Measures of the user's by module path: a .js or .mjs file whose every export is a measure definition. What it exports is
 * checked in full, since nobody else has: a mistake is told by export and field, never by a stack trace later on.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ListwiseError, quote } from '../errors.js';
import { measureDefinitions } from './all.js';
import { commonParameters, type MeasureDefinition } from './measure.js';
import { parseMeasure } from './parse.js';
import { guardMeasure, reasonOf } from './plugin-guard.js';

/** The measures that modules export, for `more` of a measure context. */
export async function loadMeasures(files: readonly string[]): Promise<MeasureDefinition[]> {
  const definitions: MeasureDefinition[] = [];
  for (const file of files) {
    const exported = Object.entries(await load(file));
    if (exported.length === 0) throw new ListwiseError('plugin-invalid', 'the module exports nothing', { file });
    for (const [name, value] of exported) {
      const fail: Fail = reason => {
        throw new ListwiseError('plugin-invalid', `export ${quote(name)} is not a measure: ${reason}`, { file });
      };
      assertDefinition(value, fail);
      assertNew(value, definitions, fail);
      assertCreates(value, fail);
      definitions.push(guardMeasure(value, file));
    }
  }
  return definitions;
}

async function load(file: string): Promise<Record<string, unknown>> {
  if (!/\.m?js$/.test(file)) {
    throw new ListwiseError('plugin-invalid', 'a module of measures is a .js or .mjs file', { file });
  }
  if (!existsSync(file)) throw new ListwiseError('file-not-found', 'there is no such file', { file });
  try {
    return await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw new ListwiseError('plugin-invalid', `the module cannot be loaded: ${reasonOf(error)}`, { file });
  }
}

type Fail = (reason: string) => never;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function assertDefinition(value: unknown, fail: Fail): asserts value is MeasureDefinition {
  if (!isRecord(value)) fail(`expected an object made by defineMeasure, found ${typeof value}`);
  const { name, cutoff, range, parameters, aliases = [], create } = value;
  for (const key of ['name', 'title', 'description', 'citation']) {
    if (typeof value[key] !== 'string' || value[key] === '') fail(`${key} must be a text`);
  }
  if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(String(name))) {
    fail('name must be a letter followed by letters, digits, "_", "." or "-"');
  }
  if (!['none', 'optional', 'required'].includes(String(cutoff))) fail('cutoff must be none, optional or required');
  if (!Array.isArray(range) || range.length !== 2 || !(range[0] < range[1])) fail('range must be [least, largest]');
  if (!isRecord(parameters)) fail('parameters must be an object; {} for none');
  for (const [key, parameter] of Object.entries(parameters)) assertParameter(key, parameter, fail);
  if (!Array.isArray(aliases) || aliases.some(alias => typeof alias !== 'string')) fail('aliases must be texts');
  if (typeof create !== 'function') fail('create must be a function');
}

function assertParameter(key: string, parameter: unknown, fail: Fail): void {
  if (key in commonParameters) fail(`parameter ${key} is one that every measure has; leave it out`);
  const complete =
    isRecord(parameter) &&
    'default' in parameter &&
    typeof parameter.description === 'string' &&
    typeof parameter.allowed === 'string' &&
    typeof parameter.parse === 'function' &&
    typeof parameter.print === 'function';
  if (!complete) fail(`parameter ${key} must have default, description, allowed, parse and print`);
}

function assertNew(definition: MeasureDefinition, others: readonly MeasureDefinition[], fail: Fail): void {
  const known: readonly MeasureDefinition[] = [...measureDefinitions, ...others];
  for (const name of [definition.name, ...(definition.aliases ?? [])]) {
    const taken = known.find(other => [other.name, ...(other.aliases ?? [])].includes(name));
    if (taken !== undefined) fail(`the name ${quote(name)} is taken by ${quote(taken.title)}`);
  }
}

/** Makes the measure once with its defaults, to see what comes back. */
function assertCreates(definition: MeasureDefinition, fail: Fail): void {
  const spec = definition.cutoff === 'required' ? `${definition.name}@10` : definition.name;
  let made: { value: unknown; swap: { form: unknown } };
  try {
    made = parseMeasure(spec, { more: [definition] });
  } catch (error) {
    fail(`create failed: ${reasonOf(error)}`);
  }
  if (typeof made.value !== 'function') fail('what create returns must have a function value(view)');
  if (!['separable', 'tables', 'function'].includes(String(made.swap.form))) {
    fail('swap.form must be separable, tables or function; leave swap out to have swapped lists evaluated');
  }
}
