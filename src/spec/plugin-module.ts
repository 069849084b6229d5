/**
 * Modules of the user's: .js or .mjs files whose exports are measures and objectives. What they export is checked in
 * full, since nobody else has, and what they throw later on is reported in one line that names module and export, not
 * as a failure of ours.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ListwiseError, quote } from '../errors.js';

export type Fail = (reason: string) => never;

/** A function that does as the given one, and throws coded errors. */
export type Guard = <A extends unknown[], R>(run: (...args: A) => R) => (...args: A) => R;

export interface Exported {
  readonly file: string;
  /** The name it is exported by. */
  readonly name: string;
  readonly value: unknown;
}

/** All that the modules export, in order. */
export async function moduleExports(files: readonly string[]): Promise<Exported[]> {
  const all: Exported[] = [];
  for (const file of files) {
    const exported = Object.entries(await load(file));
    if (exported.length === 0) throw new ListwiseError('plugin-invalid', 'the module exports nothing', { file });
    all.push(...exported.map(([name, value]) => ({ file, name, value })));
  }
  return all;
}

async function load(file: string): Promise<Record<string, unknown>> {
  if (!/\.m?js$/.test(file)) {
    throw new ListwiseError('plugin-invalid', 'a module of measures and objectives is a .js or .mjs file', { file });
  }
  if (!existsSync(file)) throw new ListwiseError('file-not-found', 'there is no such file', { file });
  try {
    return await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw new ListwiseError('plugin-invalid', `the module cannot be loaded: ${reasonOf(error)}`, { file });
  }
}

/** Objectives say what operands they take, measures do not. */
export function isObjective({ value }: Exported): boolean {
  return isRecord(value) && 'operands' in value;
}

/** Says what is wrong with an export. */
export function failureOf({ file, name }: Exported, kind: string): Fail {
  return reason => {
    throw new ListwiseError('plugin-invalid', `export ${quote(name)} is not ${kind}: ${reason}`, { file });
  };
}

/** What user code throws while it runs inside our loops, with the name of what failed. */
export function guardOf(what: string, file: string): Guard {
  return run =>
    (...args) => {
      try {
        return run(...args);
      } catch (error) {
        if (error instanceof ListwiseError) throw error;
        throw new ListwiseError('plugin-invalid', `${what} failed: ${reasonOf(error)}`, { file });
      }
    };
}

const makers = { measure: 'defineMeasure', objective: 'defineObjective' };

/** What measures and objectives have in common: texts, a name that can be written, parameters, create. */
export function assertRecord(
  value: unknown,
  kind: 'measure' | 'objective',
  reserved: object,
  fail: Fail,
): asserts value is Readonly<Record<string, unknown>> & { readonly name: string } {
  if (!isRecord(value)) fail(`expected an object made by ${makers[kind]}, found ${typeof value}`);
  for (const key of ['name', 'title', 'description', 'citation']) {
    if (typeof value[key] !== 'string' || value[key] === '') fail(`${key} must be a text`);
  }
  if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(String(value.name))) {
    fail('name must be a letter followed by letters, digits, "_", "." or "-"');
  }
  if (!isRecord(value.parameters)) fail('parameters must be an object; {} for none');
  for (const [key, parameter] of Object.entries(value.parameters)) {
    if (key in reserved) fail(`parameter ${key} is one that every ${kind} has; leave it out`);
    const complete =
      isRecord(parameter) &&
      'default' in parameter &&
      typeof parameter.description === 'string' &&
      typeof parameter.allowed === 'string' &&
      typeof parameter.parse === 'function' &&
      typeof parameter.print === 'function';
    if (!complete) fail(`parameter ${key} must have default, description, allowed, parse and print`);
  }
  if (typeof value.create !== 'function') fail('create must be a function');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** What was thrown, on one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ');
}
