/** What to do where an engine ranks otherwise than here. Whatever is advised, a conversion accepts. */
import type { Dataset } from '../data/dataset.js';
import { ListwiseError } from '../errors.js';
import { exportModel } from '../interop/convert.js';
import { adviceOnLosses, adviceOnNegative, ruleForOffsets } from '../interop/engines/advice.js';
import { type Deployment, type DeploymentOptions, deploymentBy } from '../interop/engines/deployment.js';
import { kindsOf } from '../interop/engines/rule.js';
import type { LossKind } from '../interop/format.js';
import type { Ranker } from '../models/ranker.js';
import { type Walk, type WalkOptions, walk } from './deploy-walk.js';
import { ranksOf } from './ranks.js';

export interface Checked {
  readonly model: Ranker;
  readonly data: Dataset;
  readonly deployed: Deployment;
  readonly found: Walk;
  readonly ranks: { readonly here: Uint32Array; readonly there: Uint32Array };
  /** What the losses of the file do. */
  readonly kinds: readonly LossKind[];
  readonly options: WalkOptions & DeploymentOptions;
}

export function adviceOn(checked: Checked): string[] {
  const { deployed, found, kinds, ranks } = checked;
  const { engine, rule } = deployed;
  const moved = countMoved(ranks.here, ranks.there);
  // What a file cannot say may not matter to the documents there are.
  const otherWays = found.otherLeaf.size > 0 || (moved > 0 && found.withMissing > 0);
  return [
    ...(found.otherLeaf.size > 0 ? otherFormats(checked) : []),
    ...adviceOnLosses(
      engine,
      rule,
      kinds.filter(kind => kind !== 'ways' || otherWays),
    ),
    ...(rule.negative === 'disallowed' ? onNegative(checked) : []),
    ...(found.otherLeaf.size === 0 && moved > 0 ? [...onTransform(checked, moved), ...onOffset(checked, moved)] : []),
  ];
}

/** Formats of the engine in which all documents come to the leaves that they come to here. */
function otherFormats({ model, data, deployed: { engine, rule }, options }: Checked): string[] {
  const others = engine.rules.filter(other => other !== rule && kindsOf(other).some(kind => kind === model.kind));
  const quiet = { ...options, progress: undefined };
  const found = others.flatMap(other => {
    const { format } = other;
    const deployed = orNone(() => deploymentBy(engine, other, model, options));
    if (deployed === undefined) return [];
    const { transform } = deployed;
    const written = orNone(() => exportModel(deployed.model, { to: format, rule: other, transform }));
    const same = written !== undefined && walk(deployed, data, quiet).otherLeaf.size === 0;
    return same ? [{ format, losses: written.losses }] : [];
  });
  const exact = found.filter(({ losses }) => losses.length === 0).map(({ format }) => format);
  if (exact.length > 0) return [`Deploy as ${exact.join(' or ')}: all documents come to the same leaves there.`];
  return found.map(
    ({ format, losses }) =>
      `Deploy as ${format} with \`lossy: true\`: all documents of this data come to the same leaves there, but others may not (${losses.join('; ')}).`,
  );
}

/** Undefined where the format cannot hold the model, or what is asked for. */
function orNone<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof ListwiseError) return undefined;
    throw error;
  }
}

function onNegative({ model, data, deployed: { engine, rule }, found, options }: Checked): string[] {
  if (found.scores.every(score => score >= 0)) return [];
  if (model.leastTerms !== undefined) return ['Write the model with `offset: auto`: Lucene allows no scores below 0.'];
  const bare = { model, rule: ruleForOffsets(engine, rule), transform: 'none' } as const;
  const { scores } = walk(bare, data, { ...options, progress: undefined });
  return [
    adviceOnNegative(
      engine,
      rule,
      scores.reduce((a, b) => Math.min(a, b)),
    ),
  ];
}

/** A sigmoid is flat where sums are large. */
function onTransform({ deployed, data, ranks, options }: Checked, moved: number): string[] {
  if (deployed.transform === 'none') return [];
  const { scores } = walk({ ...deployed, transform: 'none' }, data, { ...options, progress: undefined });
  if (countMoved(ranks.here, ranksOf(data, scores)) >= moved) return [];
  return ['Write the model with `transform: none`: sums that differ have the same sigmoid there, and documents tie.'];
}

/** A large offset takes away the digits in which scores differ. */
function onOffset({ model, data, deployed, ranks, options }: Checked, moved: number): string[] {
  const { offset } = deployed;
  if (offset === 0) return [];
  const { scores } = walk({ ...deployed, model }, data, { ...options, progress: undefined });
  const byOffset = moved - countMoved(ranks.here, ranksOf(data, scores));
  if (byOffset <= 0) return [];
  const enough = Math.ceil(scores.reduce((most, score) => Math.max(most, -score), 0));
  const why = `With ${offset} added to every score, 32 bits do not hold the digits in which scores differ, and documents tie.`;
  return [
    enough < offset
      ? `${why} \`offset: ${enough}\` is enough for this data.`
      : `${why} Train with smaller values of leaves, such as more trees and a lower learning rate.`,
  ];
}

function countMoved(here: Uint32Array, there: Uint32Array): number {
  return here.reduce((count, rank, row) => count + Number(rank !== there[row]), 0);
}
