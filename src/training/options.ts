/** Checks the options of a trainer against its schema, from an object, a config file or KEY=VALUE texts. */
import { z } from 'zod';
import { didYouMean, kebab, ListwiseError, quote, quoteJson } from '../errors.js';
import { categoryNames, iterationNames, otherNames } from './other-names.js';
import type { Trainer } from './trainer.js';

function camel(key: string): string {
  return key.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

interface PropertySchema {
  /** Several where any of them will do. */
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly PropertySchema[];
  readonly items?: PropertySchema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly default?: unknown;
  readonly description?: string;
}

/** The JSON schema of each option, in the order of declaration. */
export function optionProperties(trainer: Trainer): Readonly<Record<string, PropertySchema>> {
  const { properties } = z.toJSONSchema(trainer.options, { io: 'input' }) as {
    properties: Record<string, PropertySchema>;
  };
  return properties;
}

/** All options of a trainer, checked, with defaults filled in. */
export function checkOptions<Schema extends z.ZodObject>(
  trainer: Trainer<Schema>,
  given: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const properties = optionProperties(trainer);
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(properties, key)) continue;
    if (Object.hasOwn(properties, camel(key))) {
      throw new ListwiseError('option-invalid', `${quote(key)} is written ${quote(camel(key))} here`);
    }
    throw unknownOption(trainer, key);
  }
  const result = trainer.options.safeParse(given);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const key = String(issue.path[0]);
  const hint = trainer.hints?.[key];
  throw new ListwiseError(
    'option-invalid',
    `${kebab(key)} is ${allowed(properties[key]!)}, found ${found(given[key])}${hint === undefined ? '' : `; ${hint}`}`,
  );
}

function found(value: unknown): string {
  if (Array.isArray(value) && !value.some(Array.isArray)) return value.length === 0 ? 'none' : quote(value.join(','));
  return typeof value === 'string' ? quote(value) : quoteJson(value);
}

/** The option of a trainer that is meant by a name of it or of another system. */
export function optionNamed(trainer: Trainer, name: string): string | undefined {
  const key = camel(name);
  const known = Object.keys(optionProperties(trainer));
  if (known.includes(key)) return key;
  if (iterationNames.includes(key)) return trainer.iterations;
  return known.find(option => otherNames[option]?.includes(key));
}

function unknownOption(trainer: Trainer, key: string): ListwiseError {
  const names = Object.keys(optionProperties(trainer)).map(kebab);
  const meant = optionNamed(trainer, key);
  if (meant !== undefined) {
    return new ListwiseError(
      'option-invalid',
      `${trainer.name} has no option ${quote(key)}: here it is ${kebab(meant)}`,
    );
  }
  if (categoryNames.includes(camel(key))) {
    return new ListwiseError(
      'option-invalid',
      `${trainer.name} has no option ${quote(key)}: columns are declared when data is read, with \`categories\``,
    );
  }
  return new ListwiseError(
    'option-invalid',
    `${trainer.name} has no option ${quote(key)}${didYouMean(kebab(key), names)} Options: ${names.join(', ')}`,
  );
}

/** Options from texts `key=value`; a later one wins. Lists are written with commas. */
export function optionsFromText(trainer: Trainer, texts: readonly string[]): Record<string, unknown> {
  const properties = optionProperties(trainer);
  const options: Record<string, unknown> = {};
  for (const text of texts) {
    const at = text.indexOf('=');
    if (at <= 0) throw new ListwiseError('option-invalid', `\`set\` takes KEY=VALUE, found ${quote(text)}`);
    const key = camel(text.slice(0, at));
    const property = properties[key];
    if (property === undefined) throw unknownOption(trainer, text.slice(0, at));
    options[key] = settingOf(text.slice(at + 1), property);
  }
  return options;
}

function settingOf(text: string, property: PropertySchema): unknown {
  if (property.type === 'array') {
    return text === '' || text === 'none'
      ? []
      : text.split(',').map(part => settingOf(part.trim(), property.items ?? {}));
  }
  // Names of features stay as they are: 007 is no 7, and -0 no +0.
  if (takesAnyText(property)) return text;
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

function takesAnyText({ type, anyOf, enum: values, const: value }: PropertySchema): boolean {
  if (anyOf !== undefined) return anyOf.some(takesAnyText);
  return [type].flat().includes('string') && values === undefined && value === undefined;
}

/** What an option may be, in words. */
export function allowed(property: PropertySchema): string {
  const { type } = property;
  if (property.anyOf !== undefined) return property.anyOf.map(allowed).join(', or ');
  if (Array.isArray(type)) return type.map(one => allowed({ ...property, type: one })).join(' or ');
  if (property.const !== undefined) return String(property.const);
  if (property.enum !== undefined) return `one of ${property.enum.join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'array') {
    const least = property.minItems === undefined ? '' : ` of at least ${property.minItems}`;
    return `a list${least}, each ${allowed(property.items ?? {})}`;
  }
  if (type === 'string') return 'text';
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  const most = property.maximum === Number.MAX_SAFE_INTEGER ? undefined : property.maximum;
  const bounds = [
    property.minimum === undefined ? '' : `of at least ${property.minimum}`,
    property.exclusiveMinimum === undefined ? '' : `above ${property.exclusiveMinimum}`,
    most === undefined ? '' : `at most ${most}`,
    property.exclusiveMaximum === undefined ? '' : `below ${property.exclusiveMaximum}`,
  ];
  return [kind, bounds.filter(Boolean).join(' and ')].filter(Boolean).join(' ');
}
