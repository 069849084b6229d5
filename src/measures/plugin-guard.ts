/**
 * Measures of the user's run inside our loops. What they throw there is a mistake of the module: it is told in one line that names
 * module and measure, not as a failure of ours.
 */
import { ListwiseError, quote } from '../errors.js';
import type { ExpectationForm } from './expectation.js';
import type { Aggregate, MeasureBody, MeasureDefinition, SwapForm } from './measure.js';
import type { SoftForm } from './smooth-forms.js';

/** A function that does as the given one, and throws coded errors. */
type Guard = <A extends unknown[], R>(run: (...args: A) => R) => (...args: A) => R;

export function guardMeasure(definition: MeasureDefinition, file: string): MeasureDefinition {
  const fail = (reason: string): never => {
    throw new ListwiseError('plugin-invalid', `measure ${quote(definition.name)} ${reason}`, { file });
  };
  const guard: Guard =
    run =>
    (...args) => {
      try {
        return run(...args);
      } catch (error) {
        if (error instanceof ListwiseError) throw error;
        return fail(`failed: ${reasonOf(error)}`);
      }
    };
  return {
    ...definition,
    create: guard((values, context) => {
      const body = definition.create(values, context);
      return guardBody(body, guard, fail);
    }),
  };
}

function guardBody(body: MeasureBody, guard: Guard, fail: (reason: string) => never): MeasureBody {
  const { swap, soft, approx, expectation, aggregate } = body;
  const value = guard(body.value);
  return {
    value(view) {
      const found: unknown = value(view);
      return typeof found === 'number' ? found : fail(`failed: value(view) must be a number, found ${typeof found}`);
    },
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
    fill: guard((view, worth) => expectation.fill(view, worth)),
  };
}

function guardAggregate(aggregate: Aggregate, guard: Guard): Aggregate {
  return {
    ...aggregate,
    of: guard(value => aggregate.of(value)),
    finish: guard(mean => aggregate.finish(mean)),
  };
}

/** What was thrown, on one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ');
}
