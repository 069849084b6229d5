/** How far the smooth stand-ins of measures are from them: at the scores of a model, or along training. */
import type { ApproximationAtScores, ApproximationRun } from '../../analysis/approximation.js';
import type { Axis, LinesChart, ScatterChart } from '../charts.js';
import { column, columns } from '../columns.js';
import type { Document, TableBlock } from '../document.js';
import { fixed } from '../numbers.js';
import { remark } from '../remark.js';
import { count } from '../words.js';

/** Iterations shown in the terminal. */
const SHOWN = 12;

export interface ObjectiveAtScores extends ApproximationAtScores {
  readonly objective: string;
}

export function approximationAtModel(modelFile: string, found: readonly ObjectiveAtScores[]): Document {
  return {
    title: 'Error of approximation',
    verdict: nearest(`At the scores of ${modelFile}`, found),
    sections: [
      {
        title: 'By objective',
        lead: 'How far the smooth version is from the measure itself: the mean over queries of |smooth − exact|.',
        blocks: [
          {
            kind: 'bars',
            title: 'Error by objective',
            x: { label: 'mean |smooth − exact|', style: 'value' },
            item: 'objective',
            bars: found.map(one => ({ name: one.objective, value: one.error })),
          },
          ...found.map(smoothAgainstExact),
          {
            kind: 'table',
            title: 'Smooth against exact',
            columns: [
              column('objective'),
              ...columns('value', 'exact', 'smooth'),
              column('error', 'value', { verdict: true }),
              column('largest', 'value'),
              column('in query'),
            ],
            rows: found.map(({ objective, exact, smooth, error, worst }) => [
              objective,
              exact,
              smooth,
              error,
              worst.error,
              worst.query,
            ]),
          },
          remark(`Over ${count(found[0]!.queries)} queries. Error: the mean of |smooth - exact|.`),
        ],
      },
    ],
  };
}

export function approximationAlong(runs: readonly ApproximationRun[]): Document {
  const ends = runs.map(({ objective, iterations }) => ({ objective, error: iterations.at(-1)?.error ?? Number.NaN }));
  return {
    title: 'Error of approximation along training',
    verdict: nearest('In the end', ends),
    sections: [
      {
        title: 'Error',
        lead: 'The mean over queries of |smooth − exact|, after each iteration.',
        blocks: [
          {
            kind: 'lines',
            title: 'Error by iteration',
            x: { label: 'iteration', style: 'count' },
            y: { label: 'mean |smooth − exact|', style: 'value' },
            series: runs.map(run => line(run.objective, run, 'error')),
          },
          { ...iterationsTable(runs), on: 'terminal' },
        ],
      },
      {
        title: 'Smooth and exact',
        lead: 'What training climbs, and the measure itself.',
        blocks: [
          endsTable(runs),
          remark(
            'Above: error, the mean over queries of |smooth - exact|, after each iteration. Below: after the last.',
          ),
          ...runs.map(
            (run): LinesChart => ({
              kind: 'lines',
              title: run.objective,
              x: { label: 'iteration', style: 'count' },
              y: { label: run.measure, style: 'value' },
              series: (['exact', 'smooth'] as const).map(curve => line(curve, run, curve)),
            }),
          ),
        ],
      },
    ],
  };
}

/** A dot a query. */
function smoothAgainstExact({ objective, values }: ObjectiveAtScores): ScatterChart {
  // Both ways alike: how far a dot is from the diagonal is what the picture is about.
  let [low, high] = [0, 0];
  for (const value of values.flatMap(({ exact, smooth }) => [exact, smooth])) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const room = 0.04 * (high - low);
  const axis = (label: string): Axis => ({
    label,
    style: 'value',
    ...(room > 0 && { domain: [low - room, high + room] }),
  });
  return {
    kind: 'scatter',
    title: `Smooth against exact: ${objective}`,
    item: 'query',
    diagonal: true,
    x: axis('exact'),
    y: axis('smooth'),
    points: values.map(({ query, exact, smooth }) => ({ name: query, x: exact, y: smooth })),
  };
}

/** The objectives that follow their measure best and worst, in one sentence. */
function nearest(when: string, errors: readonly { readonly objective: string; readonly error: number }[]): string {
  const sorted = [...errors].sort((a, b) => a.error - b.error);
  const [best, worst] = [sorted[0]!, sorted.at(-1)!];
  const off = `${best.objective} is off by ${fixed(best.error)} in the mean over queries`;
  if (errors.length === 1) return `${when}, ${off}.`;
  return `${when}, ${off}, the least of ${errors.length}; ${worst.objective} by ${fixed(worst.error)}, the most.`;
}

/** The curves of a page as numbers: iterations of the longest run, thinned out. */
function iterationsTable(runs: readonly ApproximationRun[]): TableBlock {
  const all = [...new Set(runs.flatMap(({ iterations }) => iterations.map(({ iteration }) => iteration)))];
  all.sort((a, b) => a - b);
  const rows = Math.min(SHOWN, all.length);
  const shown = Array.from(
    { length: rows },
    (_, i) => all[Math.round((i * (all.length - 1)) / Math.max(1, rows - 1))]!,
  );
  return {
    kind: 'table',
    title: 'Error by iteration',
    columns: [
      column('iteration', 'general', { digits: 12 }),
      ...columns('value', ...runs.map(({ objective }) => objective)),
    ],
    rows: shown.map(iteration => [
      iteration,
      ...runs.map(({ iterations }) => iterations.find(one => one.iteration === iteration)?.error ?? Number.NaN),
    ]),
  };
}

function endsTable(runs: readonly ApproximationRun[]): TableBlock {
  return {
    kind: 'table',
    title: 'After the last iteration',
    columns: [
      ...columns(undefined, 'objective', 'measure'),
      ...columns('value', 'exact', 'smooth'),
      column('error', 'value', { verdict: true }),
      column('iterations', 'count'),
    ],
    rows: runs.map(({ objective, measure, iterations }) => {
      const last = iterations.at(-1);
      const values = [last?.exact, last?.smooth, last?.error].map(value => value ?? Number.NaN);
      return [objective, measure, ...values, iterations.length];
    }),
  };
}

function line(name: string, { iterations }: ApproximationRun, curve: 'error' | 'exact' | 'smooth') {
  return { name, x: iterations.map(({ iteration }) => iteration), y: iterations.map(one => one[curve]) };
}
