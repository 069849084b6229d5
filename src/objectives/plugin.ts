/** Objectives and measures of the user's by module path: what `--load` names and threads load again. */
import { quote } from '../errors.js';
import { loadMeasures } from '../measures/plugin.js';
import {
  assertRecord,
  type Fail,
  failureOf,
  type Guard,
  guardOf,
  isObjective,
  moduleExports,
  reasonOf,
} from '../spec/plugin-module.js';
import { objectiveDefinitions } from './all.js';
import { formKinds } from './form.js';
import type { ObjectiveBody, ObjectiveDefinition, ObjectiveRun } from './objective.js';
import { commonParameters, type ObjectiveLibrary, parseObjective } from './parse.js';

/**
 * All that modules export, beside what is given already.
 *
 * @example
 * import { loadLibrary, parseObjective } from 'listwise/objectives';
 *
 * const library = await loadLibrary(['./my-objectives.mjs']);
 * const objective = parseObjective('own', library);
 */
export async function loadLibrary(
  files: readonly string[],
  given: ObjectiveLibrary = {},
): Promise<ObjectiveLibrary & Required<Pick<ObjectiveLibrary, 'measures' | 'objectives'>>> {
  const measures = [...(given.measures ?? []), ...(await loadMeasures(files))];
  const objectives: ObjectiveDefinition[] = [...(given.objectives ?? [])];
  for (const exported of await moduleExports(files)) {
    if (!isObjective(exported)) continue;
    const { value, file } = exported;
    const fail: Fail = failureOf(exported, 'an objective');
    assertDefinition(value, fail);
    const known: readonly ObjectiveDefinition[] = [...objectiveDefinitions, ...objectives];
    const taken = known.find(other => other.name === value.name);
    if (taken !== undefined) fail(`the name ${quote(value.name)} is taken by ${quote(taken.title)}`);
    assertCreates(value, { ...given, measures, objectives: [...objectives, value] }, fail);
    objectives.push(guardObjective(value, file));
  }
  return { ...given, measures, objectives };
}

const operandKinds: readonly ObjectiveDefinition['operands'][] = ['none', 'measure', 'objective', 'objectives'];

function assertDefinition(value: unknown, fail: Fail): asserts value is ObjectiveDefinition {
  assertRecord(value, 'objective', commonParameters, fail);
  if (!operandKinds.some(kind => kind === value.operands)) fail(`operands must be one of ${operandKinds.join(', ')}`);
}

/** Makes the objective once with its defaults, to see what comes back. */
function assertCreates(definition: ObjectiveDefinition, library: ObjectiveLibrary, fail: Fail): void {
  const written = { none: '', measure: '', objective: '(ranknet)', objectives: '(ranknet,ranknet)' };
  let made: { hessian: unknown; start: unknown; form?: { kind: unknown } | undefined };
  try {
    made = parseObjective(definition.name + written[definition.operands], library);
  } catch (error) {
    fail(`create failed: ${reasonOf(error)}`);
  }
  if (!['positive', 'none'].includes(String(made.hessian))) fail('hessian must be positive or none');
  if (made.form !== undefined && !formKinds.some(kind => kind === made.form?.kind)) {
    fail(`form.kind must be one of ${formKinds.join(', ')}; leave form out where it is none of them`);
  }
  if (typeof made.start !== 'function') fail('what create returns must have a function start(data)');
}

function guardObjective(definition: ObjectiveDefinition, file: string): ObjectiveDefinition {
  const guard = guardOf(`objective ${quote(definition.name)}`, file);
  return { ...definition, create: guard((values, operands) => guardBody(definition.create(values, operands), guard)) };
}

function guardBody(body: ObjectiveBody, guard: Guard): ObjectiveBody {
  return {
    ...body,
    start: guard((data, arithmetic, learned) => {
      const run = body.start(data, arithmetic, learned);
      const { cost, beginIteration } = run;
      const guarded: ObjectiveRun = {
        lambdas: guard((view, out) => run.lambdas(view, out)),
        ...(cost && { cost: guard(view => cost.call(run, view)) }),
        ...(beginIteration && { beginIteration: guard(iteration => beginIteration.call(run, iteration)) }),
      };
      return guarded;
    }),
  };
}
