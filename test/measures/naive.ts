/**
 * Every measure a second time, written straight from its definition, with no regard to cost and no code of the package:
 * the measures are tested equal to these.
 */
import { byRank, type List } from './lists.js';

export type Values = Readonly<Record<string, string | number>>;

type Naive = (list: List, values: Values, cut: number) => number;

const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + value, 0);
const judgedOf = (labels: readonly number[]) => labels.filter(label => !Number.isNaN(label));

/** All judged labels: of the list alone, or with those outside. */
const pool = (list: List, values: Values) =>
  judgedOf(values.ideal === 'list' ? list.labels : [...list.labels, ...list.outside]);
const relevantIn = (labels: readonly number[], values: Values) => labels.filter(label => label >= Number(values.rel));
const top = (list: List, cut: number) => byRank(list).labels.slice(0, cut);

function gain(label: number, kind: string | number | undefined): number {
  if (!(label > 0) && !String(kind).includes('/')) return 0;
  if (Number.isNaN(label)) return 0;
  if (kind === 'linear') return label;
  if (kind === 'click') return 2 ** (4 * label) - 1;
  if (kind === 'exp') return 2 ** label - 1;
  return Number(String(kind).split('/')[label]);
}

function dcgOf(labels: readonly number[], kind: string | number | undefined, discount: string | number | undefined) {
  return sum(
    labels.map((label, i) => {
      const rank = i + 1;
      const weight = discount === 'letor' ? (rank <= 2 ? 1 : 1 / Math.log2(rank)) : 1 / Math.log2(1 + rank);
      return gain(label, kind) * weight;
    }),
  );
}

function ndcgWith(list: List, values: Values, cut: number, kind: string | number | undefined): number {
  const best = pool(list, values)
    .sort((a, b) => b - a)
    .slice(0, cut);
  const ideal = dcgOf(best, kind, values.discount);
  return ideal > 0 ? dcgOf(top(list, cut), kind, values.discount) / ideal : Number.NaN;
}

const ap: Naive = (list, values, cut) => {
  const all = relevantIn(pool(list, values), values).length;
  const ranking = byRank(list).labels;
  const precisions = ranking.map((label, i) =>
    label >= Number(values.rel) && i < cut ? relevantIn(ranking.slice(0, i + 1), values).length / (i + 1) : 0,
  );
  return all === 0 ? Number.NaN : sum(precisions) / (values.divisor === 'cut' ? Math.min(all, cut) : all);
};

/** Undefined where no judged document is relevant. */
const ifRelevant =
  (value: (list: List, values: Values, cut: number, relevant: number) => number): Naive =>
  (list, values, cut) => {
    const relevant = relevantIn(pool(list, values), values).length;
    return relevant === 0 ? Number.NaN : value(list, values, cut, relevant);
  };

const firstRank = (list: List, values: Values) =>
  byRank(list).labels.findIndex(label => label >= Number(values.rel)) + 1 || Infinity;

function iprecAt(list: List, values: Values, recall: number, relevant: number): number {
  const wanted = values.rounding === 'up' ? Math.floor(recall * relevant + 0.9) : Math.round(recall * relevant);
  const labels = byRank(list).labels;
  const precisions = labels.map((_, i) => {
    const found = relevantIn(labels.slice(0, i + 1), values).length;
    return found >= wanted ? found / (i + 1) : 0;
  });
  return Math.max(0, ...precisions);
}

function pairCounts(list: List) {
  const { labels, scores } = byRank(list);
  const count = { right: 0, wrong: 0, tied: 0, labelled: 0, scored: 0 };
  for (let i = 0; i < labels.length; i++) {
    for (let j = 0; j < i; j++) {
      const direction = (labels[i]! - labels[j]!) * (scores[i]! - scores[j]!);
      if (Number.isNaN(direction)) continue;
      if (direction > 0) count.right++;
      if (direction < 0) count.wrong++;
      if (scores[i] !== scores[j]) count.scored++;
      if (labels[i] !== labels[j]) count.labelled++;
      if (labels[i] !== labels[j] && scores[i] === scores[j]) count.tied++;
    }
  }
  return count;
}

export const naive: Readonly<Record<string, Naive>> = {
  ndcg: (list, values, cut) => ndcgWith(list, values, cut, values.gain),
  cndcg: (list, values, cut) => ndcgWith(list, values, cut, 'click'),
  dcg: (list, values, cut) =>
    pool(list, values).some(label => gain(label, values.gain) > 0)
      ? dcgOf(top(list, cut), values.gain, values.discount)
      : Number.NaN,
  ap,
  gmap: ap,
  rr: ifRelevant((list, values, cut) => (firstRank(list, values) <= cut ? 1 / firstRank(list, values) : 0)),
  p: ifRelevant((list, values, cut) => {
    const counted = values.over === 'list' && list.labels.length < cut ? list.labels.length || cut : cut;
    return relevantIn(top(list, cut), values).length / counted;
  }),
  recall: ifRelevant((list, values, cut, relevant) => relevantIn(top(list, cut), values).length / relevant),
  success: ifRelevant((list, values, cut) => (firstRank(list, values) <= cut ? 1 : 0)),
  rprec: ifRelevant((list, values, _, relevant) => relevantIn(top(list, relevant), values).length / relevant),
  f1: ifRelevant((list, values, cut, relevant) => {
    const hits = relevantIn(top(list, cut), values).length;
    const precision = hits / Math.min(cut, cut === Infinity ? list.labels.length : cut);
    const recall = hits / relevant;
    return hits === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  }),
  wta: ifRelevant((list, values) => (byRank(list).labels[0]! >= Number(values.rel) ? 1 : 0)),
  err: (list, values, cut) => {
    if (!pool(list, values).some(label => label > 0)) return Number.NaN;
    const satisfied = top(list, cut).map(label => gain(label, 'exp') / 2 ** Number(values.max));
    return sum(
      satisfied.map((own, i) => satisfied.slice(0, i).reduce((left, above) => left * (1 - above), own) / (i + 1)),
    );
  },
  rbp: (list, values, cut) => {
    const p = Number(values.p);
    const largest = Math.max(0, ...pool(list, values));
    const graded = values.grades === 'graded';
    if (graded ? largest === 0 : relevantIn(pool(list, values), values).length === 0) return Number.NaN;
    return sum(
      top(list, cut).map((label, i) => {
        const own = graded ? gain(label, 'linear') / largest : label >= Number(values.rel) ? 1 : 0;
        return (1 - p) * own * p ** i;
      }),
    );
  },
  bpref: ifRelevant((list, values, _, relevant) => {
    const others = pool(list, values).length - relevant;
    const labels = byRank(list).labels;
    const terms = labels.map((label, i) => {
      if (!(label >= Number(values.rel))) return 0;
      const above = labels.slice(0, i).filter(other => other < Number(values.rel)).length;
      const most = Math.min(relevant, others);
      return others === 0 ? 1 : 1 - Math.min(above, most) / most;
    });
    return sum(terms) / relevant;
  }),
  pairs: list => {
    const { right, tied, labelled } = pairCounts(list);
    return (right + tied / 2) / labelled;
  },
  gamma: list => {
    const { right, wrong, labelled } = pairCounts(list);
    return (right - wrong) / labelled;
  },
  tau: list => {
    const { right, wrong, labelled, scored } = pairCounts(list);
    if (labelled === 0) return Number.NaN;
    return scored === 0 ? 0 : (right - wrong) / Math.sqrt(labelled) / Math.sqrt(scored);
  },
  iprec: ifRelevant((list, values, _, relevant) => iprecAt(list, values, Number(values.recall), relevant)),
  '11pt': ifRelevant(
    (list, values, _, relevant) =>
      sum([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].map(level => iprecAt(list, values, level, relevant))) /
      11,
  ),
  judged: (list, _, cut) => judgedOf(top(list, cut)).length / cut,
};
