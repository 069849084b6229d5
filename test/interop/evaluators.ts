/**
 * How other systems score, written from their rules and from the files alone: nothing here uses the code under test.
 * Each takes the text of a file and gives a function from a document's columns to its score.
 */

type Score = (columns: readonly number[]) => number;
const f32 = Math.fround;

/** LightGBM: float64, `<=`, missing types none (NaN is 0), zero (0 and NaN go the default way) and NaN. */
export function lightgbmRule(text: string): Score {
  const trees = text
    .slice(0, text.indexOf('end of trees'))
    .split(/^Tree=\d+$/m)
    .slice(1)
    .map(block => {
      const field = (key: string) => {
        const found = new RegExp(`^${key}=(.*)$`, 'm').exec(block)?.[1] ?? '';
        return found
          .split(' ')
          .filter(Boolean)
          .map(word => (word === 'inf' ? Infinity : Number(word)));
      };
      return {
        feature: field('split_feature'),
        threshold: field('threshold'),
        type: field('decision_type'),
        left: field('left_child'),
        right: field('right_child'),
        value: field('leaf_value'),
      };
    });
  return columns => {
    let sum = 0;
    for (const { feature, threshold, type, left, right, value } of trees) {
      let node = value.length === 1 ? -1 : 0;
      while (node >= 0) {
        const missing = (type[node]! >> 2) & 3;
        let x = columns[feature[node]!]!;
        if (Math.abs(x) <= f32(1e-35) || (Number.isNaN(x) && missing !== 2)) x = 0; // LightGBM reads values so
        const usesDefault = (missing === 1 && x === 0) || (missing === 2 && Number.isNaN(x));
        const goesLeft = usesDefault ? (type[node]! & 2) !== 0 : x <= threshold[node]!;
        node = (goesLeft ? left : right)[node]!;
      }
      sum += value[-node - 1]!;
    }
    return sum;
  };
}

interface DumpNode {
  nodeid: number;
  leaf?: number;
  split: string;
  split_condition: number;
  yes: number;
  missing: number;
  children: [DumpNode, DumpNode];
}

/** XGBoost's dump as the engines evaluate it: float32, `<`, children in the order yes, no; unknown keys are refused. */
export function dumpRule(text: string, names: readonly string[]): Score {
  const trees = JSON.parse(text) as DumpNode[];
  const known = new Set(['nodeid', 'depth', 'split', 'split_condition', 'yes', 'no', 'missing', 'children', 'leaf']);
  const check = (node: DumpNode): void => {
    for (const key of Object.keys(node)) if (!known.has(key)) throw new Error(`unknown key ${key}`);
    if (node.leaf !== undefined) return;
    if (node.children[0].nodeid !== node.yes) throw new Error('the first child is not "yes"');
    node.children.forEach(check);
  };
  trees.forEach(check);
  const place = new Map(names.map((name, i) => [name, i]));
  return columns => {
    let sum = 0;
    for (let node of trees) {
      while (node.leaf === undefined) {
        const x = f32(columns[place.get(node.split)!]!);
        const goesLeft = Number.isNaN(x) ? node.missing === node.yes : x < f32(node.split_condition);
        node = node.children[goesLeft ? 0 : 1];
      }
      sum = f32(sum + f32(node.leaf));
    }
    return sum;
  };
}

interface NativeTree {
  left_children: number[];
  right_children: number[];
  split_indices: number[];
  split_conditions: number[];
  default_left: number[];
}

/** XGBoost's own file: float32, `<`, the sum starts at the base score; the right child is beside the left one. */
export function xgboostRule(text: string): Score {
  const { learner } = JSON.parse(text) as {
    learner: { gradient_booster: { model: { trees: NativeTree[] } }; learner_model_param: { base_score: string } };
  };
  return columns => {
    let sum = f32(Number(learner.learner_model_param.base_score));
    for (const tree of learner.gradient_booster.model.trees) {
      let node = 0;
      while (tree.left_children[node] !== -1) {
        const x = f32(columns[tree.split_indices[node]!]!);
        const goesLeft = Number.isNaN(x) ? tree.default_left[node] === 1 : x < f32(tree.split_conditions[node]!);
        if (tree.right_children[node] !== tree.left_children[node]! + 1) throw new Error('siblings are apart');
        node = tree.left_children[node]! + (goesLeft ? 0 : 1);
      }
      sum = f32(sum + f32(tree.split_conditions[node]!));
    }
    return sum;
  };
}

/**
 * RankLib: lines are joined without the blanks around them, elements read by position; float32, `<=`, missing is 0, ids
 * from 1.
 */
export function ranklibRule(text: string): Score {
  const body = text
    .split('\n')
    .filter(line => !line.startsWith('##'))
    .map(line => line.trim())
    .join('');
  const trees = [...body.matchAll(/<tree id="\d+" weight="([^"]*)">(.*?)<\/tree>/g)].map(([, weight, split]) => ({
    weight: f32(Number(weight)),
    // A flat list of what follows in order: depth first, so that a split is followed by its left side, then its right
    // side.
    words: [...split!.matchAll(/<(feature|threshold|output)>([^<]*)</g)].map(([, name, value]) => ({
      name,
      value: Number(value),
    })),
  }));
  return columns => {
    let sum = 0;
    for (const { weight, words } of trees) {
      let at = 0;
      const skip = (): void => {
        if (words[at]!.name === 'output') at++;
        else {
          at += 2;
          skip();
          skip();
        }
      };
      while (words[at]!.name === 'feature') {
        const x = f32(columns[words[at]!.value - 1]!);
        const goesLeft = (Number.isNaN(x) ? 0 : x) <= f32(words[at + 1]!.value);
        at += 2;
        if (!goesLeft) skip();
      }
      sum = f32(sum + f32(words[at]!.value) * weight);
    }
    return sum;
  };
}

/** RankLib's linear regression: float64 sums, id 0 is the intercept. */
export function ranklibLinearRule(text: string): Score {
  const line = text.split('\n').find(line => line !== '' && !line.startsWith('##'))!;
  const pairs = line.split(' ').map(pair => pair.split(':').map(Number) as [number, number]);
  return columns => {
    let sum = pairs.find(([id]) => id === 0)?.[1] ?? 0;
    for (const [id, weight] of pairs)
      if (id > 0) sum += weight * (Number.isNaN(columns[id - 1]!) ? 0 : columns[id - 1]!);
    return sum;
  };
}

interface CatboostNode {
  split: { split_index: number };
  left: CatboostNode;
  right: CatboostNode;
  value?: number;
}

interface CatboostFile {
  features_info: {
    float_features: { flat_feature_index: number; borders: number[]; has_nans: boolean; nan_value_treatment: string }[];
  };
  oblivious_trees?: { splits: { split_index: number }[]; leaf_values: number[] }[];
  trees?: CatboostNode[];
  scale_and_bias: [number, [number]];
}

/**
 * CatBoost: a split is the place of a border among those of all features in the order of the file; `>` goes right, in
 * float32; what is missing is infinite, of the sign that the feature says.
 */
export function catboostRule(text: string): Score {
  const file = JSON.parse(text) as CatboostFile;
  const tests = file.features_info.float_features.flatMap(feature =>
    feature.borders.map(border => (columns: readonly number[]) => {
      const given = f32(columns[feature.flat_feature_index]!);
      const substitute = feature.nan_value_treatment === 'AsTrue' ? Infinity : -Infinity;
      return (Number.isNaN(given) && feature.has_nans ? substitute : given) > f32(border);
    }),
  );
  const [scale, [bias]] = file.scale_and_bias;
  return columns => {
    let sum = 0;
    for (const { splits, leaf_values } of file.oblivious_trees ?? []) {
      const leaf = splits.reduce((bits, { split_index }, d) => bits | (Number(tests[split_index]!(columns)) << d), 0);
      sum += leaf_values[leaf]!;
    }
    for (let node of file.trees ?? []) {
      while (node.value === undefined) node = tests[node.split.split_index]!(columns) ? node.right : node.left;
      sum += node.value;
    }
    return sum * scale + bias;
  };
}
