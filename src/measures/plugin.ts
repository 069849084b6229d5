/** Measures of the user's by module path. */
import { quote } from '../errors.js';
import { assertRecord, type Fail, failureOf, isObjective, moduleExports, reasonOf } from '../spec/plugin-module.js';
import { measureDefinitions } from './all.js';
import { commonParameters, type MeasureDefinition } from './measure.js';
import { parseMeasure } from './parse.js';
import { guardMeasure } from './plugin-guard.js';

/**
 * The measures that modules export, for `more` of a measure context; the modules may export objectives besides.
 *
 * @example
 * import { evaluate, parseMeasures } from 'listwise';
 * import { loadMeasures } from 'listwise/measures';
 *
 * const more = await loadMeasures(['./my-measures.mjs']);
 * evaluate(data, scores, parseMeasures('own@5', { more }));
 */
export async function loadMeasures(files: readonly string[]): Promise<MeasureDefinition[]> {
  const definitions: MeasureDefinition[] = [];
  for (const exported of await moduleExports(files)) {
    if (isObjective(exported)) continue;
    const { value, file } = exported;
    const fail: Fail = failureOf(exported, 'a measure');
    assertDefinition(value, fail);
    assertNew(value, definitions, fail);
    assertCreates(value, fail);
    definitions.push(guardMeasure(value, file));
  }
  return definitions;
}

function assertDefinition(value: unknown, fail: Fail): asserts value is MeasureDefinition {
  assertRecord(value, 'measure', commonParameters, fail);
  const { cutoff, range, aliases = [] } = value;
  if (!['none', 'optional', 'required'].includes(String(cutoff))) fail('cutoff must be none, optional or required');
  if (!Array.isArray(range) || range.length !== 2 || !(range[0] < range[1])) fail('range must be [least, largest]');
  if (!Array.isArray(aliases) || aliases.some(alias => typeof alias !== 'string')) fail('aliases must be texts');
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
  let made: { value: unknown; overTies?: unknown; swap: { form: unknown } };
  try {
    made = parseMeasure(spec, { more: [definition] });
  } catch (error) {
    fail(`create failed: ${reasonOf(error)}`);
  }
  if (typeof made.value !== 'function') fail('what create returns must have a function value(view)');
  if (!['undefined', 'function'].includes(typeof made.overTies)) {
    fail('overTies must be a function of view and tied; leave it out to have orders drawn');
  }
  if (!['separable', 'tables', 'function'].includes(String(made.swap.form))) {
    fail('swap.form must be separable, tables or function; leave swap out to have swapped lists evaluated');
  }
}
