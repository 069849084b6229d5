/** How far each line goes from a model before a measure rises, exactly. */
import {
  type ExactLine,
  type ExactOptimality,
  exactStanding,
  exactVerdict,
} from '../../analysis/optimality/exact-optimality.js';
import { column, columns } from '../columns.js';
import type { Block, Document, TableBlock } from '../document.js';
import { gainsOfDirections, standings } from './optimality.js';

/** One model under one measure on one set of data. */
export interface ExactCase {
  readonly model: string;
  readonly data: string;
  /** As asked for. */
  readonly measure: string;
  readonly result: ExactOptimality;
}

export function exactDocument(cases: readonly ExactCase[]): Document {
  return {
    title: 'Local optimality, exactly',
    verdict: cases.map(({ measure, result }) => exactVerdict(measure, result)).join(' '),
    sections: [
      {
        title: 'Lines',
        lead: 'How many lines through the parameters rise at any step, however long, and how far one can go without a rise.',
        blocks: [casesTable(cases), ...cases.flatMap(gainsOf), ...cases.map(lineTable)],
      },
    ],
  };
}

/** Each direction at its best step. */
function gainsOf({ model, measure, result: { random } }: ExactCase): Block[] {
  const gains = random.map(({ gain }) => gain);
  return gains.length < 2 ? [] : [gainsOfDirections(`${model}, ${measure}`, measure, gains)];
}

function casesTable(cases: readonly ExactCase[]): TableBlock {
  const rising = (lines: readonly ExactLine[]) => lines.filter(({ gain }) => gain > 0).length;
  return {
    kind: 'table',
    title: 'Rises by model, data and measure',
    columns: [
      ...columns(undefined, 'model', 'data', 'measure'),
      column('value', 'value'),
      ...columns('count', 'parameters', 'that rise', 'directions', 'which rise'),
      column('most', 'difference'),
      column('free step', 'general'),
      column('optimum', undefined, { verdict: true }),
    ],
    rows: cases.map(({ model, data, measure, result }) => {
      const { single, random, value } = result;
      const lines = [...single, ...random];
      return [
        model,
        data,
        measure,
        value,
        single.length,
        rising(single),
        random.length,
        rising(random),
        Math.max(...lines.map(({ gain }) => gain)),
        Math.min(...lines.map(({ from, to }) => Math.min(-from, to))),
        standings[exactStanding(result)],
      ];
    }),
  };
}

/** Those of single parameters, and the directions that gain most. */
function lineTable({ model, measure, result: { single, random } }: ExactCase): TableBlock {
  const best = [...random].sort((a, b) => b.gain - a.gain).slice(0, 5);
  return {
    kind: 'table',
    title: `Steps of ${model} without a rise of ${measure}`,
    columns: [
      column('along'),
      ...columns('general', 'no rise from', 'to'),
      column('best gain', 'difference', { verdict: true }),
      column('at step', 'general'),
    ],
    rows: [...single, ...best].map(({ along, from, to, gain, step }) => [along, from, to, gain, step]),
  };
}
