/** How a measure goes with its cut-off: one line a system, with confidence intervals. */
import type { System } from '../analysis/system.js';
import { evaluateSteps } from '../measures/evaluate.js';
import { type MeasureContext, parseMeasure } from '../measures/parse.js';
import type { Ties } from '../measures/query-view.js';
import { atOnce, partOf } from '../steps.js';
import type { LinesChart } from './charts.js';
import type { Section } from './document.js';
import { estimateOf } from './mean-interval.js';
import { confidence } from './words.js';

/** The measures whose curves pages show. */
const MEASURES = ['ndcg', 'p'];
const LAST_CUT = 20;

export interface CurveOptions {
  /** Conventions of the measures. */
  readonly context: MeasureContext;
  readonly ties: Ties;
  readonly alpha: number;
  /** Called with the share done, which takes a while for many documents. */
  onProgress?(share: number): void;
}

/** `labels` is the source to use where the conventions name none. */
export function cutoffSection(systems: readonly System[], labels: string, options: CurveOptions): Section {
  const lead = 'How good the top of the lists is, from the first document down.';
  return { title: 'By cut-off', lead, blocks: cutoffCurves(systems, labels, options) };
}

function cutoffCurves(
  systems: readonly System[],
  labels: string,
  { context, ties, alpha, onProgress }: CurveOptions,
): LinesChart[] {
  const longest = Math.max(...systems.map(({ data }) => longestQuery(data.offsets)));
  // A list of one document has no curve.
  const cuts = Array.from({ length: Math.max(2, Math.min(LAST_CUT, longest)) }, (_, i) => i + 1);
  const measures = MEASURES.flatMap(name => cuts.map(cut => parseMeasure(`${name}@${cut}`, { labels, ...context })));
  const evaluated = systems.map(({ name, data, scores }, s) => {
    const steps = evaluateSteps(data, scores, measures, { ties });
    const results = atOnce(partOf(steps, s / systems.length, (s + 1) / systems.length), onProgress);
    return { name, estimates: results.map(result => estimateOf(result, alpha)) };
  });
  return MEASURES.map((measure, m) => ({
    kind: 'lines',
    title: `${measure}@k`,
    note: `Mean over queries with its ${confidence(alpha)} interval.`,
    x: { label: 'k', style: 'count' },
    y: { label: `${measure}@k`, style: 'value' },
    series: evaluated.map(({ name, estimates }) => {
      const own = estimates.slice(m * cuts.length, (m + 1) * cuts.length);
      return {
        name,
        x: cuts,
        y: own.map(({ value }) => value),
        low: own.map(({ low }) => low),
        high: own.map(({ high }) => high),
      };
    }),
  }));
}

function longestQuery(offsets: Uint32Array): number {
  let longest = 0;
  for (let q = 0; q + 1 < offsets.length; q++) longest = Math.max(longest, offsets[q + 1]! - offsets[q]!);
  return longest;
}
