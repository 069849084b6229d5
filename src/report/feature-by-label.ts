/** How the values of a feature are distributed, label by label. */
import { histogramBins } from './bins.js';
import type { HistogramChart, LineSeries, LinesChart } from './charts.js';
import { labelOrder, labelSeries } from './words.js';

/** More labels than this cannot be told apart in one chart. */
const MOST_LABELS = 6;
const BINS = 30;

/** A line a label, each of its own documents; of labels that are too many, or none, all documents together. */
export function featureByLabel(
  name: string,
  sample: Float32Array,
  labels: Float64Array | undefined,
): LinesChart | HistogramChart {
  const bins = histogramBins(sample, { count: BINS });
  const x = { label: 'value' };
  const distinct = labelOrder(labels ?? []).filter(label => !Number.isNaN(label));
  if (labels === undefined || distinct.length < 2 || distinct.length > MOST_LABELS || bins.length === 0)
    return { kind: 'histogram', title: `Feature ${name}`, x, y: { label: 'documents', style: 'count' }, bins };
  const [first, last] = [bins[0]!, bins.at(-1)!];
  const width = first.to - first.from;
  const series = distinct.map((label): LineSeries => {
    const counts = new Float64Array(bins.length);
    let total = 0;
    for (let i = 0; i < sample.length; i++) {
      const value = sample[i]!;
      if (labels[i] !== label || !Number.isFinite(value)) continue;
      counts[Math.min(bins.length - 1, Math.max(0, Math.floor((value - first.from) / width)))]!++;
      total++;
    }
    const shares = Array.from(counts, count => count / Math.max(1, total));
    // Each share holds from the start of its range to the start of the next; the last one to its end.
    return {
      name: labelSeries(label),
      stepped: true,
      x: [...bins.map(({ from }) => from), last.to],
      y: [...shares, shares.at(-1)!],
    };
  });
  return {
    kind: 'lines',
    title: `Feature ${name} by label`,
    x,
    y: { label: 'share of the label', style: 'percent' },
    series,
  };
}
