/**
 * Measures of the user's run inside our loops. What they throw there is a mistake of the module: it is reported in one
 * line that names module and measure, not as a failure of ours.
 */
import { ListwiseError, quote } from '../errors.js';
import { type Guard, guardOf } from '../spec/plugin-module.js';
import type { ExpectationForm } from './forms/expectation.js';
import type { SoftForm } from './forms/smooth-forms.js';
import type { Aggregate, MeasureBody, MeasureDefinition, SwapForm } from './measure.js';

export function guardMeasure(definition: MeasureDefinition, file: string): MeasureDefinition {
  const what = `measure ${quote(definition.name)}`;
  const guard = guardOf(what, file);
  const fail = (reason: string): never => {
    throw new ListwiseError('plugin-invalid', `${what} ${reason}`, { file });
  };
  return {
    ...definition,
    create: guard((values, context) => guardBody(definition.create(values, context), guard, fail)),
  };
}

function guardBody(body: MeasureBody, guard: Guard, fail: (reason: string) => never): MeasureBody {
  const { overTies, swap, soft, approx, expectation, aggregate } = body;
  const numeric = (what: string, found: unknown) =>
    typeof found === 'number' ? found : fail(`failed: ${what} must be a number, found ${typeof found}`);
  const value = guard(body.value);
  const mean = overTies && guard(overTies);
  return {
    value: view => numeric('value(view)', value(view)),
    ...(mean && { overTies: (view, tied) => numeric('overTies(view, tied)', mean(view, tied)) }),
    ...(swap && { swap: guardSwap(swap, guard) }),
    ...(soft && { soft: guardSoft(soft, guard) }),
    ...(approx && { approx: { value: guard((view, ranking) => approx.value(view, ranking)) } }),
    ...(expectation && { expectation: guardExpectation(expectation, guard) }),
    ...(aggregate && { aggregate: guardAggregate(aggregate, guard) }),
  };
}

function guardSwap(swap: SwapForm, guard: Guard): SwapForm {
  if (swap.form === 'function') {
    const begin = guard((view: Parameters<typeof swap.begin>[0]) => {
      const change = swap.begin(view);
      return change && guard(change);
    });
    return { ...swap, begin };
  }
  if (swap.form === 'tables') return { ...swap, fill: guard((view, tables) => swap.fill(view, tables)) };
  return { ...swap, fill: guard((view, tables) => swap.fill(view, tables)) };
}

function guardSoft(soft: SoftForm, guard: Guard): SoftForm {
  if (soft.form === 'precision') return { ...soft, fill: guard((view, gain) => soft.fill(view, gain)) };
  return { ...soft, fill: guard((view, tables) => soft.fill(view, tables)) };
}

function guardExpectation(expectation: ExpectationForm, guard: Guard): ExpectationForm {
  return {
    ...expectation,
    gain: guard(label => expectation.gain(label)),
    fill: guard((view, discount) => expectation.fill(view, discount)),
  };
}

function guardAggregate(aggregate: Aggregate, guard: Guard): Aggregate {
  return { ...aggregate, of: guard(value => aggregate.of(value)), finish: guard(mean => aggregate.finish(mean)) };
}
