/** What helps where an engine scores otherwise than here. */
import type { LossKind } from '../format.js';
import type { Engine } from './find-rules.js';
import type { EngineRule } from './rule.js';

/** By what a conversion loses. */
export function adviceOnLosses(engine: Engine, rule: EngineRule, kinds: readonly LossKind[]): string[] {
  const holding = interceptRule(engine);
  return [
    ...(kinds.includes('ways') && rule.advice !== undefined ? [rule.advice] : []),
    ...(kinds.includes('constant') && holding !== undefined ? [`\`to: ${holding.format}\` holds the intercept.`] : []),
  ];
}

/** Where scores of a model without a bound are below 0, which Lucene does not allow; `least` is the least of them. */
export function adviceOnNegative(engine: Engine, rule: EngineRule, least: number): string {
  const offset = `\`offset: ${Math.ceil(-least)}\``;
  const why = `the least score here is ${least}, other documents may score less, and Lucene allows no scores below 0.`;
  if (rule.linear === undefined || rule.linear.intercept) return `Write the model with ${offset} or more: ${why}`;
  const holding = interceptRule(engine);
  return holding === undefined
    ? `Change the features or weights so that scores are 0 and above: ${why}`
    : `Write the model with \`to: ${holding.format}\`, which holds an intercept, and ${offset} or more: ${why}`;
}

function interceptRule({ rules }: Engine): EngineRule | undefined {
  return rules.find(({ linear }) => linear?.intercept);
}
