/** The rules of an engine at a version. */
import { didYouMean, ListwiseError, quote } from '../../errors.js';
import { engineRules } from './all.js';
import { beyondKnown } from './newest.js';
import { type EngineRule, kindsOf } from './rule.js';
import { compareVersions, splitEngine } from './version.js';

/**
 * An engine at a version, and its rules, the format to be preferred first.
 *
 * @example
 * import { type Engine, findEngine } from 'listwise/interop';
 *
 * const { version }: Engine = findEngine('opensearch@3.5');
 */
export interface Engine {
  readonly engine: string;
  readonly version: string;
  readonly rules: readonly EngineRule[];
  /** What is to be said of the version: that it is later than those whose rules are known. */
  readonly notes: readonly string[];
}

/**
 * An engine at a version, from `NAME@VERSION`.
 *
 * @example
 * import { findEngine } from 'listwise/interop';
 *
 * for (const { format, evidence } of findEngine('opensearch@3.5').rules) console.log(format, evidence);
 */
export function findEngine(text: string): Engine {
  const names = [...new Set(engineRules.map(({ engine }) => engine))];
  const found = splitEngine(text);
  const own = engineRules.filter(({ engine }) => engine === found.engine);
  if (own.length === 0) {
    throw new ListwiseError(
      'option-invalid',
      `there is no engine ${quote(found.engine)}${didYouMean(found.engine, names)} Engines: ${names.join(', ')}`,
    );
  }
  const rules = own.filter(({ since, before }) => {
    const early = compareVersions(found.version, since) < 0;
    return !early && (before === undefined || compareVersions(found.version, before) < 0);
  });
  if (rules.length > 0) {
    const beyond = beyondKnown(found.engine, found.version);
    return { ...found, rules, notes: beyond === undefined ? [] : [beyond] };
  }
  const first = own.map(({ since }) => since).sort(compareVersions)[0];
  throw new ListwiseError(
    'option-invalid',
    `nothing is known of ${found.engine} ${found.version}: learning to rank is known there since ${first}`,
  );
}

/** The rule for models of a kind: of the format that is asked for, or the first. */
export function ruleFor({ engine, version, rules }: Engine, kind: string, format?: string): EngineRule {
  const holding = rules.filter(rule => kindsOf(rule).some(held => held === kind));
  if (holding.length === 0)
    throw new ListwiseError('model-unsupported', `${engine} ${version} takes no ${kind} model that is known here`);
  if (format === undefined) return holding[0]!;
  const found = holding.find(rule => rule.format === format);
  if (found !== undefined) return found;
  throw new ListwiseError(
    'option-invalid',
    `${engine} ${version} takes no ${kind} model as ${quote(format)}; it takes ${holding.map(rule => rule.format).join(', ')}`,
  );
}
