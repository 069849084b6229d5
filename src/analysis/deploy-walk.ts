/** Scores of an engine over data, and where documents part from the way they go here. */
import type { Dataset } from '../data/dataset.js';
import { ListwiseError } from '../errors.js';
import type { Deployment } from '../interop/engines/deployment.js';
import { type EngineScorer, engineScorer } from '../interop/engines/engine-scorer.js';
import { isOfKind } from '../models/all.js';
import { type MatchOptions, matchFeatures } from '../models/match-features.js';
import type { Ranker } from '../models/ranker.js';
import { childOf, type Tree } from '../models/trees/trees.js';

export interface WalkOptions extends MatchOptions {
  progress?: ((share: number) => void) | undefined;
}

/** The first split where a document goes another way there. The value is NaN where it is missing. */
export interface OtherWay {
  readonly tree: number;
  readonly feature: string;
  readonly value: number;
  readonly threshold: number;
  /** Whether it goes left. */
  readonly left: { readonly here: boolean; readonly there: boolean };
}

export interface Walk {
  /** One a row of the data. */
  readonly scores: Float64Array;
  /** What the engine itself adds to every score. */
  readonly raised: number;
  /** By row, for trees. */
  readonly otherLeaf: ReadonlyMap<number, OtherWay>;
  /** Documents with a missing value in a feature of the model. */
  readonly withMissing: number;
}

/** Engines know nothing of the other documents of a query when they score one. */
function refuseNormalised({ description }: Ranker): void {
  if (description?.normalise === undefined) return;
  throw new ListwiseError(
    'model-unsupported',
    `the model has features normalised within each query (${description.normalise}), which no engine does; train one without`,
  );
}

export function walk(
  { model, rule, transform }: Pick<Deployment, 'model' | 'rule' | 'transform'>,
  data: Dataset,
  options: WalkOptions,
): Walk {
  refuseNormalised(model);
  const columns = matchFeatures(model, data, { ...options, note: undefined });
  const scorer = engineScorer(model, rule, transform);
  const scores = new Float64Array(data.rows);
  const otherLeaf = new Map<number, OtherWay>();
  const features = new Float32Array(model.featureNames.length);
  let withMissing = 0;
  for (const { start, rows, stride, data: values } of data.blocks) {
    for (let i = 0; i < rows; i++) {
      for (let f = 0; f < features.length; f++)
        features[f] = columns[f]! < 0 ? (options.absent ?? 0) : values[columns[f]! * stride + i]!;
      if (features.some(Number.isNaN)) withMissing++;
      scores[start + i] = scorer.score(features);
      const parting = isOfKind(model, 'trees')
        ? partingOf(model.trees, model.featureNames, features, scorer)
        : undefined;
      if (parting !== undefined) otherLeaf.set(start + i, parting);
    }
    options.progress?.((start + rows) / data.rows);
  }
  return { scores, raised: scorer.raised, otherLeaf, withMissing };
}

/** The first split where a document goes one way here and another there. */
function partingOf(
  trees: readonly Tree[],
  names: readonly string[],
  features: Float32Array,
  scorer: EngineScorer,
): OtherWay | undefined {
  for (const [number, tree] of trees.entries()) {
    for (let node = tree.feature.length > 0 ? 0 : -1; node >= 0; ) {
      const here = childOf(tree, node, features);
      if (here !== scorer.childOf!(tree, node, features)) {
        const feature = tree.feature[node]!;
        const left = here === tree.left[node];
        return {
          tree: number + 1,
          feature: names[feature]!,
          value: features[feature]!,
          threshold: tree.threshold[node]!,
          left: { here: left, there: !left },
        };
      }
      node = here;
    }
  }
  return undefined;
}
