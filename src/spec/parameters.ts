/** Declared parameters: said once, and parsing, printing, error messages and the docs follow. */
import { didYouMean, ListwiseError, quote } from '../errors.js';
import type { Spec } from './spec.js';

/**
 * A parameter of a measure or an objective: its default, how it is read and printed.
 *
 * @example
 * import { numberParameter, type Parameter } from 'listwise/measures';
 *
 * const parameter: Parameter<number> = numberParameter({ default: 1, description: 'The least label.' });
 * console.log(parameter.parse('2'));
 */
export interface Parameter<T> {
  readonly default: T;
  readonly description: string;
  /** What is allowed, in words, for messages and docs. */
  readonly allowed: string;
  /** The value of a text, or undefined where it is not allowed. */
  parse(text: string): T | undefined;
  print(value: T): string;
}

// biome-ignore lint/suspicious/noExplicitAny: parameters of all types stand in one record; ValuesOf recovers each
export type Parameters = Readonly<Record<string, Parameter<any>>>;

export type ValuesOf<P extends Parameters> = { readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never };

const DECIMAL = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i;

/**
 * A parameter that is a number.
 *
 * @example
 * import { numberParameter } from 'listwise/measures';
 *
 * const patience = numberParameter({ default: 0.8, description: 'Chance to look further.', min: 0, max: 1 });
 */
export function numberParameter(options: {
  default: number;
  description: string;
  min?: number;
  max?: number;
  /** Leave the ends of the range out. */
  open?: boolean;
  integer?: boolean;
}): Parameter<number> {
  const { min = -Infinity, max = Infinity, open = false, integer = false } = options;
  const kind = integer ? 'a whole number' : 'a number';
  const low = min === -Infinity ? '' : open ? `above ${min}` : `of at least ${min}`;
  const high = max === Infinity ? '' : open ? `below ${max}` : `at most ${max}`;
  return {
    default: options.default,
    description: options.description,
    allowed: [kind, [low, high].filter(Boolean).join(' and ')].filter(Boolean).join(' '),
    parse(text) {
      const value = Number(text);
      const inside = open ? value > min && value < max : value >= min && value <= max;
      return DECIMAL.test(text) && Number.isFinite(value) && inside && (!integer || Number.isInteger(value))
        ? value
        : undefined;
    },
    print: value => String(value),
  };
}

/**
 * A number that may be left out.
 *
 * @example
 * import { optionalNumberParameter } from 'listwise/measures';
 *
 * const cap = optionalNumberParameter({ description: 'The largest label that counts; without it all count.' });
 */
export function optionalNumberParameter(options: {
  description: string;
  min?: number;
  max?: number;
  open?: boolean;
  integer?: boolean;
}): Parameter<number | undefined> {
  const number = numberParameter({ ...options, default: 0 });
  return {
    default: undefined,
    description: options.description,
    allowed: number.allowed,
    parse: text => number.parse(text),
    print: value => (value === undefined ? 'none' : number.print(value)),
  };
}

/**
 * Numbers separated by slashes, as in 0.2/0.1.
 *
 * @example
 * import { numberListParameter } from 'listwise/measures';
 *
 * const gains = numberListParameter({ default: [0, 1, 3], description: 'The gain of each label.', min: 0 });
 */
export function numberListParameter(options: {
  default: readonly number[];
  description: string;
  min?: number;
  max?: number;
}): Parameter<readonly number[]> {
  const number = numberParameter({ ...options, default: 0 });
  return {
    default: options.default,
    description: options.description,
    allowed: `${number.allowed}, or several such as 0.2/0.1`,
    parse(text) {
      const values = text.split('/').map(number.parse);
      return values.every(value => value !== undefined) ? values : undefined;
    },
    print: values => values.map(number.print).join('/'),
  };
}

/**
 * A parameter that is one of a few words.
 *
 * @example
 * import { choiceParameter } from 'listwise/measures';
 *
 * const gain = choiceParameter({ choices: ['linear', 'exponential'], default: 'linear', description: 'Gain.' });
 */
export function choiceParameter<const C extends string>(options: {
  choices: readonly C[];
  default: C;
  description: string;
}): Parameter<C> {
  return {
    default: options.default,
    description: options.description,
    allowed: options.choices.join(', '),
    parse: text => options.choices.find(choice => choice === text),
    print: value => value,
  };
}

/**
 * Any name; used for label sources.
 *
 * @example
 * import { nameParameter } from 'listwise/measures';
 *
 * const labels = nameParameter({ default: 'label', description: 'The label source.' });
 */
export function nameParameter(options: { default: string; description: string }): Parameter<string> {
  return { ...options, allowed: 'a name', parse: text => text, print: value => value };
}

/** The values of a spec's named arguments, defaults filled in; positional arguments are the caller's to take. */
export function readParameters<P extends Parameters>(
  what: string,
  parameters: P,
  spec: Spec,
  defaults: Readonly<Record<string, unknown>> = {},
): ValuesOf<P> {
  const values: Record<string, unknown> = {};
  for (const [key, parameter] of Object.entries(parameters)) values[key] = defaults[key] ?? parameter.default;
  for (const [key, argument] of spec.named) {
    // Not what every object has: "constructor" is a word that people may write.
    const parameter = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
    if (parameter === undefined) {
      const names = Object.keys(parameters);
      throw new ListwiseError(
        'spec-parameter',
        `${what} has no parameter ${quote(key)}${didYouMean(key, names)} It takes ${names.join(', ') || 'none'}`,
      );
    }
    const plain = argument.args.length === 0 && argument.named.size === 0 && argument.cut === undefined;
    const value = plain ? parameter.parse(argument.name) : undefined;
    if (value === undefined) {
      throw new ListwiseError(
        'spec-parameter',
        `${what}: ${key}=${argument.name} is not allowed; ${key} is ${parameter.allowed} (default ${parameter.print(parameter.default)})`,
      );
    }
    values[key] = value;
  }
  return values as ValuesOf<P>;
}

/** The canonical arguments: in declared order, those that differ from their default. */
export function printParameters<P extends Parameters>(parameters: P, values: ValuesOf<P>): string[] {
  return Object.entries(parameters)
    .filter(([key, parameter]) => parameter.print(values[key]) !== parameter.print(parameter.default))
    .map(([key, parameter]) => `${key}=${parameter.print(values[key])}`);
}
