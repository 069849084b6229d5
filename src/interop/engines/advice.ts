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

/** The rule to go by where scores of a model without a bound are below 0: one that holds an intercept, if there is. */
export function ruleForOffsets(engine: Engine, rule: EngineRule): EngineRule {
  return rule.linear === undefined || rule.linear.intercept ? rule : (interceptRule(engine) ?? rule);
}

/** Where scores are below 0, which Lucene does not allow; `least` is the least of them by the rule to go by. */
export function adviceOnNegative(engine: Engine, rule: EngineRule, least: number): string {
  const better = ruleForOffsets(engine, rule);
  const why = 'other documents may score less, and Lucene allows no scores below 0.';
  const found = `the least score of this data is ${least} without, ${why}`;
  if (better.linear !== undefined && !better.linear.intercept)
    return `Change the features or weights so that scores are 0 and above: ${why}`;
  const offset = `\`offset: ${Math.max(0, Math.ceil(-least))}\``;
  return better === rule
    ? `Write the model with ${offset} or more: ${found}`
    : `Write the model with \`to: ${better.format}\`, which holds an intercept, and ${offset} or more: ${found}`;
}

function interceptRule({ rules }: Engine): EngineRule | undefined {
  return rules.find(({ linear }) => linear?.intercept);
}
