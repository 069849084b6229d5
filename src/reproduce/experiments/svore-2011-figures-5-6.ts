/** How strongly pairs pull in λ(L) and in λ(S), and how weight goes from the one to the other as trees are added. */
import { z } from 'zod';
import { bellFactor, logisticFactor } from '../../objectives/pairs/pair-factor.js';
import { parseObjective } from '../../objectives/parse.js';
import type { Section } from '../../report/document.js';
import type { Drawn } from '../drawn.js';
import { byValues } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { SVORE } from '../svore.js';

const config = z.strictObject({
  /** η of the running sum that the text prints, and the weight it starts from. */
  sums: z.array(z.number()),
  from: z.number(),
});
type Config = z.output<typeof config>;

interface Outcome {
  readonly pulls: readonly { readonly o: number; readonly logistic: number; readonly bell: number }[];
  readonly weights: readonly {
    readonly name: string;
    readonly drawn: readonly number[];
    readonly ours: readonly number[];
  }[];
  /** The iteration from which on the running sum leaves λ(L) no weight. */
  readonly sums: readonly { readonly eta: number; readonly full: number }[];
}

export const svore2011Figures56 = defineExperiment<Config, Outcome>({
  name: 'svore-2011-figures-5-6',
  title: 'how two objectives pull, and the weight between them',
  paper: `${SVORE}, Figures 5 and 6`,
  collections: [],
  config,
  run: async ({ sums, from }) => ({
    pulls: pulls(),
    weights: weights(),
    sums: sums.map(eta => ({
      eta,
      full: weightsOf(`from=${from},exponential=${eta}`, 1000).findIndex(w => w >= 1) + 1,
    })),
  }),
  findings: ({ pulls: pulling, weights: drawn, sums }) => formulaFindings(pulling, drawn, sums),
  sections: ({ pulls: pulling, weights: drawn }) => [figure5(pulling), figure6(drawn)],
});

/** Score differences that Figure 5 draws. */
function pulls(): Outcome['pulls'] {
  const bell = bellFactor(0);
  return Array.from({ length: 41 }, (_, i) => {
    const o = i / 2 - 10;
    return { o, logistic: logisticFactor.lambda(o), bell: bell.lambda(o) };
  });
}

const ITERATIONS = 20;

/** The weight of the second objective in each iteration, as the schedule that is trained with has it. */
function weightsOf(schedule: string, iterations: number): number[] {
  const { form } = parseObjective(`schedule(lambdarank(ndcg),sigmoid(ndcg),${schedule})`);
  if (form?.kind !== 'sum') throw new RangeError('a schedule is a sum of objectives');
  const { weightsAt } = form;
  return Array.from({ length: iterations }, (_, t) => weightsAt(t + 1)[1]!);
}

/** The six curves of Figure 6: what its legend says, and what our schedules do. */
function weights(): Outcome['weights'] {
  const iterations = Array.from({ length: ITERATIONS }, (_, t) => t + 1);
  return [
    ...[5, 10, 20].map(eta => ({
      name: `exp(-${eta}/t)`,
      drawn: iterations.map(t => Math.exp(-eta / t)),
      ours: weightsOf(`curve=${eta}`, ITERATIONS),
    })),
    ...[0.01, 0.02, 0.04].map(eta => ({
      name: `${eta}*t`,
      drawn: iterations.map(t => eta * t),
      ours: weightsOf(`from=0,linear=${eta}`, ITERATIONS),
    })),
  ];
}

function formulaFindings(pulling: Outcome['pulls'], all: Outcome['weights'], sums: Outcome['sums']): Finding[] {
  const at = (o: number) => pulling.find(point => point.o === o)!;
  const [wrong, right] = [at(-10), at(10)];
  const off = Math.max(
    ...all.flatMap(({ drawn: theirs, ours }) => theirs.map((weight, t) => Math.abs(weight - ours[t]!))),
  );
  return [
    {
      claim: 'Figure 5: for wrongly ranked pairs far apart the derivative of O(L) approaches 1, that of O(S) 0',
      paper: 'approaches 1; asymptotes to zero',
      ours: `at a difference of −10: ${wrong.logistic.toFixed(5)} and ${wrong.bell.toFixed(5)}`,
      ...byValues(wrong.logistic > 0.999 && wrong.bell < 0.001),
      drawn: pullsDrawn(pulling.filter(({ o }) => o <= 0)),
    },
    {
      claim: 'Figure 5: for rightly ranked pairs both drop off similarly',
      paper: 'similarly',
      ours: `at a difference of 10: ${right.logistic.toExponential(2)} and ${right.bell.toExponential(2)}`,
      ...byValues(Math.abs(right.logistic / right.bell - 1) < 0.01),
      drawn: pullsDrawn(pulling.filter(({ o }) => o >= 0)),
    },
    {
      claim: 'Figure 6: the weights drawn are those of our schedules',
      paper: 'exp(-η/t) and η t',
      ours: `off by ${off.toExponential(1)} at most (the running sum that the text prints has no weight left for λ(L) after ${sums.map(({ eta, full }) => `${full} trees for η ${eta}`).join(', ')})`,
      ...byValues(off < 1e-12),
      drawn: {
        y: 'weight of λ(S)',
        style: 'value',
        x: { label: 'iteration' },
        curves: all.map(({ name, drawn: paper, ours }) => ({ name, at: ours.map((_, t) => t + 1), paper, ours })),
      },
    },
  ];
}

/** Beside the formulas of Equations 3 and 14, their sign turned. */
function pullsDrawn(pulling: Outcome['pulls']): Drawn {
  const at = pulling.map(({ o }) => o);
  return {
    y: 'derivative',
    style: 'value',
    x: { label: 'difference of scores' },
    curves: [
      {
        name: 'O(L)',
        at,
        paper: at.map(o => 1 / (1 + Math.exp(o))),
        ours: pulling.map(({ logistic }) => logistic),
      },
      {
        name: 'O(S)',
        at,
        paper: at.map(o => Math.exp(o) / (1 + Math.exp(o)) ** 2),
        ours: pulling.map(({ bell }) => bell),
      },
    ],
  };
}

function figure5(pulling: Outcome['pulls']): Section {
  const line = (name: string, which: 'logistic' | 'bell') => ({
    name,
    x: pulling.map(({ o }) => o),
    y: pulling.map(point => point[which]),
  });
  return {
    title: 'Figure 5',
    blocks: [
      {
        kind: 'lines',
        title: 'How strongly a pair pulls',
        x: { label: 'score of the better document less that of the other' },
        y: { label: 'derivative', style: 'value' },
        series: [line('O(L)', 'logistic'), line('O(S), mu 0', 'bell')],
      },
    ],
  };
}

function figure6(all: Outcome['weights']): Section {
  return {
    title: 'Figure 6',
    blocks: [
      {
        kind: 'lines',
        title: 'The weight of λ(S)',
        x: { label: 'iteration', style: 'count' },
        y: { label: 'weight', style: 'value' },
        series: all.map(({ name, ours }) => ({ name, x: ours.map((_, t) => t + 1), y: ours })),
      },
    ],
  };
}
