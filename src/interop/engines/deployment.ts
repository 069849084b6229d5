/**
 * What is made of a model for an engine's version: the rule, the format, and what is added to every score. Conversions
 * write it and checks score it, so that a check is about the file that a conversion gives.
 */
import { ListwiseError } from '../../errors.js';
import { isOfKind } from '../../models/all.js';
import type { Ranker } from '../../models/ranker.js';
import { offsetOf, withOffset } from '../offset.js';
import type { Transform } from '../transform.js';
import { type Engine, findEngine, ruleFor } from './find-rules.js';
import type { EngineRule } from './rule.js';

export interface DeploymentOptions {
  /** The format the engine is given; its preferred one where left out. */
  readonly to?: string | undefined;
  /** A number or `auto`; where left out, `auto` where no scores below 0 are allowed and the model has a least one. */
  readonly offset?: string | undefined;
  /** What the engine is asked to make of sums; where left out, what the file of the model says, as far as it does. */
  readonly transform?: Transform | undefined;
  /** What the file of the model says. */
  readonly fileTransform?: Transform | undefined;
}

export interface Deployment {
  readonly engine: Engine;
  readonly rule: EngineRule;
  /** The model with what is added to its scores. */
  readonly model: Ranker;
  /** What is added to every score. */
  readonly offset: number;
  /** Whether that was not asked for, but needed. */
  readonly raises: boolean;
  /** What the engine makes of sums. */
  readonly transform: Transform;
}

export function deploymentOf(text: string, model: Ranker, options: DeploymentOptions): Deployment {
  const engine = findEngine(text);
  return deploymentBy(engine, ruleFor(engine, model.kind, options.to), model, options);
}

/** As above, by one of the rules of an engine. */
export function deploymentBy(
  engine: Engine,
  rule: EngineRule,
  model: Ranker,
  { offset, ...options }: Omit<DeploymentOptions, 'to'>,
): Deployment {
  refuseActivation(engine, rule, model);
  const transform = transformBy(engine, rule, model, options);
  // A sigmoid is above 0.
  const below = rule.negative === 'disallowed' && model.leastTerms !== undefined && transform === 'none';
  const raises = offset === undefined && below;
  const added = offsetOf(model, raises ? 'auto' : offset);
  return { engine, rule, model: withOffset(model, added), offset: added, raises: raises && added !== 0, transform };
}

function transformBy(
  { engine, version }: Engine,
  rule: EngineRule,
  model: Ranker,
  { transform, fileTransform = 'none' }: Omit<DeploymentOptions, 'to' | 'offset'>,
): Transform {
  const held = rule.sigmoid !== undefined && isOfKind(model, 'trees');
  if (transform === 'sigmoid' && !held)
    throw new ListwiseError(
      'option-invalid',
      `${engine} ${version} applies no sigmoid to ${model.kind} models as ${rule.format}; leave \`transform\` out`,
    );
  return transform ?? (held ? fileTransform : 'none');
}

function refuseActivation({ engine, version }: Engine, { net }: EngineRule, model: Ranker): void {
  if (net?.activations === undefined || !isOfKind(model, 'net')) return;
  const { activation } = model.shape;
  if (!net.activations.includes(activation))
    throw new ListwiseError(
      'model-unsupported',
      `${engine} ${version} knows nets of ${net.activations.join(' and ')}, and this one has ${activation}`,
    );
}
