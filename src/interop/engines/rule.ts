/** What a version of a search engine or library does with a model: one declared record a rule, listed in all.ts. */
import type { Activation } from '../../kernels/net-shape.js';
import type { ModelKindName } from '../../models/all.js';
import type { NodeWriter } from '../written-node.js';

/**
 * How trees are scored there, once they are written as their format has them.
 *
 * @example
 * import { engineRules, type TreesRule } from 'listwise/interop';
 *
 * const ofTrees: TreesRule[] = engineRules.flatMap(({ trees }) => trees ?? []);
 */
export interface TreesRule {
  /** The split as the file has it. */
  readonly written: NodeWriter;
  /** Which values go left of the number that the file has. */
  readonly compares: '<' | '<=';
  /** What the engine makes of that number when it reads the file; nothing where left out. */
  reads?(condition: number): number;
  /** A missing value: goes the way its node says, counts as 0, or goes right whatever the node says. */
  readonly missing: 'node' | 'zero' | 'right';
  /** Whether zeros that the model takes for missing are missing there, too. */
  readonly zeroMissing?: boolean;
  /** Whether values within 1e-35 of zero are zero. */
  readonly tinyZeros?: boolean;
  /** Leaf values there. */
  leaf(value: number): number;
  /** The base score where it is added after the trees; it is a leaf before them where left out. */
  baseAtLast?(base: number): number;
  /** How leaf values are added up; Java's compensated sum keeps what rounding takes away. */
  readonly sums: 'float32' | 'float64' | 'compensated';
}

/**
 * How standardised features are taken: folded into the weights where left out, so that a missing value is 0; by
 * normalisers of the engine's own, (x - mean) / scale in 32 bits, a missing value being 0 before; or as here, with what
 * a missing value counts as.
 */
export type Standardises = 'normalisers' | 'as-here';

/**
 * How linear models are scored there: weights and sums of so many bits.
 *
 * @example
 * import type { LinearRule } from 'listwise/interop';
 *
 * const inFloats: LinearRule = { width: 32 };
 */
export interface LinearRule {
  readonly width: 32 | 64;
  readonly standardises?: Standardises;
  /** Whether the intercept is held; sums begin with it. */
  readonly intercept?: boolean;
}

/**
 * How nets are scored there: 32 bits throughout.
 *
 * @example
 * import type { NetRule } from 'listwise/interop';
 *
 * const withoutTanh: NetRule = { activations: ['relu', 'sigmoid'] };
 */
export interface NetRule {
  /** The activations that it knows; all where left out. */
  readonly activations?: readonly Activation[];
  readonly standardises?: 'as-here';
}

/**
 * How one version of an engine scores a model of one format.
 *
 * @example
 * import { type EngineRule, engineRules } from 'listwise/interop';
 *
 * const ofSolr: EngineRule[] = engineRules.filter(({ engine }) => engine === 'solr');
 */
export interface EngineRule {
  readonly engine: string;
  /** The first version it holds for. */
  readonly since: string;
  /** The first version it holds for no more. */
  readonly before?: string | undefined;
  /** The format of models it is about, by its name here. */
  readonly format: string;
  readonly trees?: TreesRule;
  readonly linear?: LinearRule;
  readonly net?: NetRule | undefined;
  /** The sigmoid of a sum, where files of trees can ask for it. */
  readonly sigmoid?: ((sum: number) => number) | undefined;
  /** Width of the score that comes out. */
  readonly returns: 32 | 64;
  /** Scores below 0: kept, not allowed by Lucene, or raised, so that the least possible one is 0. */
  readonly negative: 'kept' | 'disallowed' | 'raised';
  /** What the rule was read off: sources, issues. */
  readonly evidence: string;
  /** Whether names of features in the file are expressions there, so that a number is a number. */
  readonly namesAreExpressions?: boolean;
  /** What is lost in any model, whatever its file says. */
  readonly loses?: string;
  /** What helps where documents go other ways. */
  readonly advice?: string;
}

/** The kinds of models that a rule is about. */
export function kindsOf(rule: EngineRule): ModelKindName[] {
  return (['trees', 'linear', 'net'] as const).filter(kind => rule[kind] !== undefined);
}
